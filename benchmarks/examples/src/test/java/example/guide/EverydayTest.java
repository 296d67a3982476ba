package example.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.world.ForwardingSimulation;
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
        driver.runDueTicks();
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
                .isEqualTo(Everyday.NOTHING);
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
    void shouldMakeASoundAndFallAsleep() {
        List<String> sounds = new ArrayList<>();
        try (EventStream contacts = driver.events(64)) {
            tick(400);
            Everyday.playSounds(contacts, sounds::add);
            assertThat(sounds).isNotEmpty().last().asString().startsWith("thud at ");
            assertThat(after(Everyday.isAsleep(driver, box))).isTrue();
        }
    }

    @Test
    void shouldTakeACoinLiftAPlatformAndPause() {
        driver.close();
        Body platform = yard.boxes.get(1);
        yard.system.getBodyInterface().removeBody(yard.boxes.get(2).getId()); // makes room for the coin
        yard.system.getBodyInterface().destroyBody(yard.boxes.get(2).getId());
        yard.system.getBodyInterface().setMotionType(platform.getId(), EMotionType.Kinematic, EActivation.Activate);
        double start = platform.getPosition().yy();
        JoltWorldSimulation world = world();
        Body coin = Everyday.addTrigger(
                world, new RVec3(box.getPosition().xx(), 0, box.getPosition().zz()), CoinGame.COIN);
        int coinId = coin.getId();
        CoinGame game = new CoinGame(world, box, List.of(coin), platform);
        try (PhysicsService physics = game.physics.start();
                SnapshotReader reader = physics.newReader()) {
            for (int i = 0; i < 500 && game.coinsLeft > 0; i++) {
                Answer<Double> height =
                        physics.query(tick -> platform.getPosition().yy()).join();
                assertThat(height.value()).isCloseTo(start + Math.sin(0.01 * height.tick()), within(1e-4));
            }
            assertThat(game.coinsLeft).isZero();
            assertThat(physics.query(tick -> yard.system.getBodyInterface().isAdded(coinId))
                            .join()
                            .value())
                    .isFalse();
            for (int i = 0; i < 4; i++) { // a tick each, until there is a window
                physics.query(tick -> tick).join();
            }
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().newest().bodies().count())
                    .as("box alone")
                    .isEqualTo(1);
            pressPauseUntil(physics, ServiceState.PAUSED);
            pressPauseUntil(physics, ServiceState.RUNNING);
            assertThat(physics.failure()).isEmpty();
        }
    }

    private static void pressPauseUntil(PhysicsService physics, ServiceState wanted) {
        physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 'P', 0, 0);
        for (int i = 0; i < 500 && physics.state() != wanted; i++) {
            physics.query(tick -> tick).join();
        }
        assertThat(physics.state()).isEqualTo(wanted);
        physics.input().offer(System.nanoTime(), InputKind.KEY_UP, 'P', 0, 0);
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
