package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same log leads to the same state at every tick, in every way to replay it (row 12 of the loops). */
@Timeout(120)
class RecordReplayTest {

    private static final RunDescription RUN = new RunDescription("witness", "1", "", 0, TickRate.hertz(100));
    private static final long MILLI = 1_000_000;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void chooseAFile() {
        file = folder.resolve("run.esclog");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepeatARunWithSkippedOrSlowedTime(boolean isSlowed) throws Exception {
        ManualClock clock = new ManualClock(0);
        SplittableRandom random = new SplittableRandom(4);
        Witness witness = new Witness() {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                clock.advance(isSlowed ? 11_000_000 + random.nextInt(5_000_000) : random.nextInt(25_000_000));
            }
        };
        Recording recording = Recording.create(file, RUN);
        TickLoop loop = new TickLoop(
                PhysicsService.builder(witness)
                        .lateTicks(isSlowed ? LateTicks.dilate() : LateTicks.catchUp(0))
                        .with(recording)
                        .settings(Settings.Runner.OWN_THREAD),
                clock,
                Runnable::run);
        loop.schedule.start(0, TimeScale.ONE);
        RandomPlayer player = new RandomPlayer(3, loop.input, clock);
        for (int tick = 0; tick < 200; tick++) {
            clock.advance(Math.max(0, loop.schedule.nextDueNanos() - clock.nanoTime()));
            player.play();
            loop.runTick();
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        assertThat(isSlowed ? loop.schedule.account.slowedNanos() : loop.schedule.account.skippedNanos())
                .isGreaterThan(500 * MILLI);
        Witness again = new Witness();
        ManualClock later = new ManualClock(0);
        try (InlineDriver driver =
                PhysicsService.builder(again).replay(InputLog.open(file)).inline(later)) {
            later.advance(1_000_000 * MILLI);
            driver.runDueTicks();
            assertThat(driver.divergence()).isEmpty();
            assertStandsStillForGood(driver, later);
        }
        assertThat(again.hashes).isEqualTo(witness.hashes);
    }

    /** Checks that nothing runs after the end of the log, in any way to run a tick. */
    private static void assertStandsStillForGood(InlineDriver driver, ManualClock clock) {
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        driver.step();
        for (int second = 0; second < 3; second++) {
            clock.advance(1000 * MILLI);
            assertThat(driver.runDueTicks()).isZero();
        }
    }
}
