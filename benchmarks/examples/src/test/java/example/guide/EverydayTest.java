package example.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import example.BoxYard;
import example.engine.BouncingBalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The everyday tasks do what their page says, with a box above a floor. */
class EverydayTest {

    private static final int SPACE = 32;

    private final ManualClock clock = new ManualClock(0);
    private final BoxYard yard = new BoxYard(3);
    private final Body box = yard.boxes.get(0);
    private JoltWorldSimulation simulation = world();
    private InlineDriver driver = PhysicsService.builder(simulation).inline(clock);

    private JoltWorldSimulation world() {
        JoltWorldSimulation world = new JoltWorldSimulation(yard.system, yard.allocator, yard.jobs);
        world.listenToContacts();
        world.attach(box, 7);
        return world;
    }

    @AfterEach
    void close() {
        driver.close();
        yard.close();
    }

    private <T> T after(CompletableFuture<Answer<T>> asked) {
        tick(1);
        return asked.join().value();
    }

    private void tick(int ticks) {
        clock.advance(ticks * 10_000_000L);
        driver.runDueTicks(Integer.MAX_VALUE);
    }

    private long lastTick() {
        try (SnapshotReader reader = driver.newReader()) {
            reader.acquire();
            return reader.window().newest().tick();
        }
    }

    @Test
    void shouldCastARay() {
        RVec3 above = new RVec3(box.getPosition().xx(), 20, box.getPosition().zz());
        assertThat(after(Everyday.whatIsThere(driver, simulation, above, new Vec3(0, -30, 0))))
                .isEqualTo(box.getId());
        assertThat(after(Everyday.whatIsThere(driver, simulation, above, new Vec3(0, 30, 0))))
                .isEqualTo(-1);
    }

    @Test
    void shouldMoveABodyWithoutAStreakAndWithoutBlending() {
        tick(3);
        try (FrameView view = FrameView.inline(driver.newReader())) {
            clock.advance(5_000_000);
            view.advance(clock.nanoTime());
            int slot = BodyId.slot(simulation.idOf(box));
            assertThat(view.poses().blockOf(slot).px[slot]).isNotZero();
            CompletableFuture<Answer<Body>> unblended = Everyday.showAtTicksOnly(driver, simulation, box);
            CompletableFuture<Answer<Body>> moved = Everyday.teleport(driver, simulation, box, new RVec3(10, 5, 0));
            for (int frame = 0; frame < 30; frame++) {
                clock.advance(1_000_000);
                driver.runDueTicks();
                view.advance(clock.nanoTime());
                float x = view.poses().blockOf(slot).px[slot];
                assertThat(x < -1 || x == 10).as("x = %s", x).isTrue();
            }
            assertThat(view.poses().blockOf(slot).px[slot]).isEqualTo(10);
            assertThat(unblended.join()).isEqualTo(moved.join());
        }
    }

    @Test
    void shouldWakeABodyThatIsPushedThroughTheBodyInterface() {
        simulation.world().getBodyInterface().deactivateBody(box.getId());
        double before = box.getPosition().yy();
        CompletableFuture<?> pushed = Everyday.push(driver, simulation, box);
        tick(1);
        pushed.join();
        assertThat(box.isActive()).isTrue();
        assertThat(box.getPosition().yy()).isGreaterThan(before);
    }

    @Test
    void shouldMakeASoundAndFallAsleep() {
        List<String> sounds = new ArrayList<>();
        try (EventStream contacts = driver.events(64)) {
            tick(400);
            Everyday.playSounds(contacts, sounds::add);
            assertThat(sounds).isNotEmpty().last().asString().matches("thud of [1-9].* m/s at .*");
            assertThat(after(Everyday.isAsleep(driver, box))).isTrue();
        }
    }

    @Test
    void shouldPlayTheGame() {
        CoinGame game = CoinGame.make();
        try (PhysicsService physics = game.physics.start();
                SnapshotReader reader = physics.newReader()) {
            key(physics, InputKind.KEY_DOWN, 'S');
            until(physics, tick -> {
                double lift = game.lift.getPosition().yy();
                assertThat(lift).isCloseTo(1 + Math.sin(0.01 * tick), within(1e-4));
                return game.player.getPosition().yy() < -1; // fell over the edge
            });
            key(physics, InputKind.KEY_UP, 'S');
            assertThat(game.coinsLeft).isEqualTo(4);
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().newest().bodies().count()).isEqualTo(7);
            until(physics, tick -> game.player.getPosition().yy() > -1); // it begins again
            assertThat(game.player.getPosition().zz()).isCloseTo(CoinGame.START.zz(), within(0.1));
            until(physics, tick -> {
                key(physics, InputKind.KEY_DOWN, SPACE);
                key(physics, InputKind.KEY_UP, SPACE);
                return game.player.getPosition().yy() > 1.5;
            });
            until(physics, tick -> {
                key(physics, InputKind.KEY_DOWN, SPACE); // in the air: no second jump
                key(physics, InputKind.KEY_UP, SPACE);
                assertThat(game.player.getPosition().yy()).isLessThan(2.5);
                return game.player.getLinearVelocity().getY() < -1;
            });
            pressPauseUntil(physics, ServiceState.PAUSED);
            pressPauseUntil(physics, ServiceState.RUNNING);
            assertThat(physics.failure()).isEmpty();
        }
    }

    /** Asks once a tick, on the physics thread. */
    private static void until(PhysicsService physics, LongPredicate reached) {
        for (int i = 0; i < 1000; i++) {
            if (physics.query(tick -> reached.test(tick)).join().value()) {
                return;
            }
        }
        fail("not within 1000 ticks");
    }

    private static void key(PhysicsService physics, InputKind kind, int key) {
        physics.input().offer(System.nanoTime(), kind, key, 0, 0);
    }

    private static void pressPauseUntil(PhysicsService physics, ServiceState wanted) {
        key(physics, InputKind.KEY_DOWN, 'P');
        for (int i = 0; i < 500 && physics.state() != wanted; i++) {
            physics.query(tick -> tick).join();
        }
        assertThat(physics.state()).isEqualTo(wanted);
        key(physics, InputKind.KEY_UP, 'P');
    }

    @Test
    void shouldCountKeyPresses() {
        driver.close();
        List<Integer> presses = new ArrayList<>();
        driver = PhysicsService.builder(new ForwardingSimulation(world()) {
                    @Override
                    public void step(Tick tick) throws Exception {
                        presses.add(CoinGame.presses(tick.input(), SPACE));
                        super.step(tick);
                    }
                })
                .inline(clock);
        for (int i = 0; i < 2; i++) {
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, SPACE, 0, 0);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, SPACE, 0, 0);
        }
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, SPACE + 1, 0, 0);
        tick(3);
        assertThat(presses).containsExactly(2, 0, 0);
    }

    @Test
    void shouldBendTimeAndDrawTwoWorlds() {
        tick(3);
        Everyday.slowMotion(driver, true);
        tick(100);
        assertThat(lastTick()).isBetween(12L, 13L);
        Everyday.slowMotion(driver, false);
        tick(50);
        assertThat(lastTick()).isGreaterThan(50);
        List<FrameView> drawn = new ArrayList<>();
        try (FrameView one = FrameView.inline(driver.newReader());
                FrameView other = FrameView.inline(driver.newReader())) {
            Everyday.drawAll(List.of(one, other), clock.nanoTime(), drawn::add);
            assertThat(drawn).containsExactly(one, other);
        }
    }

    @Test
    void shouldSaveAndLoadALevelAndChangeIt() {
        driver.close();
        JoltWorldSimulation saved = world();
        PhysicsService first = PhysicsService.builder(saved).start();
        byte[] bytes = Everyday.save(first, saved);
        Everyday.teleport(first, saved, box, new RVec3(0, 9, 0)).join();
        Everyday.load(first, saved, bytes);
        assertThat(first.query(tick -> box.getPosition().yy()).join().value()).isLessThan(2);
        try (RenderLoop loop = RenderLoop.start(
                        FrameView.of(first.newReader()), frame -> {}, TickRate.hertz(60), new FrameListener() {});
                PhysicsService next = Everyday.change(first, new BouncingBalls(3, 1), loop)) {
            assertThat(first.state()).isEqualTo(ServiceState.CLOSED);
            next.query(tick -> tick).join();
            assertThat(next.lastTick()).isGreaterThan(first.lastTick());
        }
    }
}
