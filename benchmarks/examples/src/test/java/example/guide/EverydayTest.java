package example.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.Await;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import example.BoxYard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.glfw.GLFW;

/** Runs the code of the page on everyday tasks with a box above a floor, and checks that it does what the page says. */
class EverydayTest {

    private static final int SPACE = 32;

    private final BoxYard yard = new BoxYard(3);
    private final Body box = yard.boxes.get(0);

    private JoltWorldSimulation world() {
        JoltWorldSimulation world = new JoltWorldSimulation(yard.system, yard.allocator, yard.jobs);
        world.listenToContacts();
        world.attach(box, 7);
        return world;
    }

    @AfterEach
    void close() {
        yard.close();
    }

    @Test
    void shouldWakeABodyPushedThroughTheBodyInterface() {
        ManualClock clock = new ManualClock(0);
        JoltWorldSimulation simulation = world();
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            simulation.world().getBodyInterface().deactivateBody(box.getId());
            double before = box.getPosition().yy();
            CompletableFuture<?> pushed = Everyday.push(driver, simulation, box);
            clock.advance(10_000_000);
            driver.runDueTicks();
            pushed.join();
            assertThat(box.isActive()).isTrue();
            assertThat(box.getPosition().yy()).isGreaterThan(before);
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
                return game.player.getPosition().yy() < -1; // waits until the player has fallen over the edge
            });
            key(physics, InputKind.KEY_UP, 'S');
            assertThat(game.coinsLeft).isEqualTo(4);
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().newest().bodies().count()).isEqualTo(7);
            until(physics, tick -> game.player.getPosition().yy() > -1); // waits until the player was put back
            assertThat(game.player.getPosition().zz()).isCloseTo(CoinGame.START.zz(), within(0.1));
            until(physics, tick -> {
                key(physics, InputKind.KEY_DOWN, SPACE);
                key(physics, InputKind.KEY_UP, SPACE);
                return game.player.getPosition().yy() > 1.5;
            });
            until(physics, tick -> {
                key(physics, InputKind.KEY_DOWN, SPACE); // in the air, where a second jump must not happen
                key(physics, InputKind.KEY_UP, SPACE);
                assertThat(game.player.getPosition().yy()).isLessThan(2.5);
                return game.player.getLinearVelocity().getY() < -1;
            });
            pressPauseUntil(physics, ServiceState.PAUSED);
            pressPauseUntil(physics, ServiceState.RUNNING);
            assertThat(physics.failure()).isEmpty();
        }
    }

    /** The rules take coins within the step. A repeat has no events of a service, and would not take any by these. */
    @Test
    void shouldTakeTheSameCoinsInReplaysAndAfterRewinds(@TempDir Path folder) throws Exception {
        RunDescription run = new RunDescription("jolt", JoltWorldSimulation.version(), "coins", 0, TickRate.hertz(100));
        Path file = folder.resolve("coins.esclog");
        ManualClock clock = new ManualClock(0);
        CoinGame game = CoinGame.make();
        StateHistory past = StateHistory.of(Duration.ofSeconds(5));
        try (Recording recording = Recording.create(file, run);
                InlineDriver driver =
                        PhysicsService.builder(game).with(past).with(recording).inline(clock)) {
            driver.input().offer(0, InputKind.KEY_DOWN, 'S', 0, 0);
            run(clock, driver, 100);
            assertThat(game.coinsLeft).isEqualTo(4);
            CompletableFuture<?> back = past.rewind(20);
            run(clock, driver, 1);
            assertThat(back).isCompleted();
            assertThat(game.coinsLeft).isEqualTo(5);
            run(clock, driver, 100);
            assertThat(game.coinsLeft).isEqualTo(4);
        }
        ReplayResult replayed = InputLog.open(file).repeat(CoinGame::make);
        assertThat(replayed).hasToString("ran through");
    }

    private static void run(ManualClock clock, InlineDriver driver, int ticks) {
        clock.advance(ticks * 10_000_000L);
        driver.runDueTicks(Integer.MAX_VALUE);
    }

    /** Waits until a condition holds; fails after a thousand ticks. The physics thread evaluates the condition once per tick. */
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
    void shouldSaveAndLoadByKeyPausedOrStepping() {
        QuickSave game = new QuickSave(world());
        try (PhysicsService physics = game.physics.start()) {
            physics.pause();
            Await.until(() -> physics.state() == ServiceState.PAUSED);
            double before = physics.query(tick -> box.getPosition().yy()).join().value();
            key(physics, InputKind.KEY_DOWN, GLFW.GLFW_KEY_F5);
            until(physics, tick -> game.saved.length > 0);
            lift(physics);
            key(physics, InputKind.KEY_DOWN, GLFW.GLFW_KEY_F9);
            until(physics, tick -> box.getPosition().yy() == before);
            physics.resume();
            lift(physics);
            key(physics, InputKind.KEY_DOWN, GLFW.GLFW_KEY_F9);
            until(physics, tick -> box.getPosition().yy() <= before);
            game.saved = new byte[] {1};
            key(physics, InputKind.KEY_DOWN, GLFW.GLFW_KEY_F9);
            until(physics, tick -> physics.failedCommands() == 1);
            assertThat(physics.failure()).isEmpty();
        }
    }

    /** Lifts the box so high that it is still high after all ticks that until() waits for. */
    private void lift(PhysicsService physics) {
        RVec3 above = new RVec3(0, 900, 0);
        physics.execute(tick -> yard.system.getBodyInterface().setPosition(box.getId(), above, EActivation.Activate))
                .join();
    }
}
