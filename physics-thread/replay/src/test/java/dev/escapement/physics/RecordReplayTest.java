package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 12 of the loops: the same log leads to the same state at every tick, however it is played back. */
@Timeout(120)
class RecordReplayTest {

    private static final RunDescription RUN = new RunDescription("witness", "1", "", 0, TickRate.hertz(100));
    private static final long MILLI = 1_000_000;
    private static final int MILLIS = 12_000;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void chooseAFile() {
        file = folder.resolve("run.esclog");
    }

    /** With pauses in which keys go up and down, late input, scales, subscribers that come and go, and ticks that cost time. */
    private List<Long> recordWitness() throws IOException {
        ManualClock clock = new ManualClock(-77);
        SplittableRandom random = new SplittableRandom(12);
        Witness witness = new Witness() {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                clock.advance(random.nextInt(3_000_000));
            }
        };
        try (Recording recording = Recording.create(file, RUN);
                InlineDriver driver =
                        PhysicsService.builder(witness).with(recording).inline(clock)) {
            RandomPlayer player = new RandomPlayer(3, driver.input(), clock);
            List<EventStream> subscribed = new ArrayList<>();
            for (int i = 0; i < MILLIS; i++) {
                clock.advance(MILLI);
                player.play();
                direct(driver, random.nextInt(300));
                if (random.nextInt(100) == 0) {
                    subscribed.add(driver.events(16));
                    subscribed.remove(0).close();
                } else if (subscribed.isEmpty()) {
                    subscribed.add(driver.events(16));
                }
                driver.runDueTicks();
            }
            assertThat(recording.failure()).isEmpty();
        }
        return witness.hashes;
    }

    private static void direct(InlineDriver driver, int choice) {
        switch (choice) {
            case 0 -> driver.pause();
            case 1, 2, 3 -> driver.resume();
            case 4 -> driver.step();
            case 5 -> driver.timeScale(new TimeScale(1, 3));
            case 6 -> driver.timeScale(new TimeScale(2, 1));
            case 7, 8 -> driver.timeScale(TimeScale.ONE);
            default -> {
                // time resumes
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "15, 1, 1, true",
        "60, 1, 1, true",
        "240, 1, 1, true",
        "60, 1, 10, true",
        "60, 4, 1, true",
        "60, 1, 1, false"
    })
    void shouldLeadToTheSameStateHoweverPlayedBack(int fps, int scale, int over, boolean drawn) throws IOException {
        List<Long> recorded = recordWitness();
        Witness witness = new Witness();
        ManualClock clock = new ManualClock(5_000);
        InputLog log = InputLog.open(file);
        try (InlineDriver driver = PhysicsService.builder(witness).replay(log).inline(clock)) {
            driver.timeScale(new TimeScale(scale, over));
            SnapshotReader reader = driver.newReader();
            int windows = 0;
            for (int frame = 0; witness.hashes.size() < recorded.size(); frame++) {
                assertThat(frame).isLessThan(1_000_000);
                clock.advance(1_000_000_000 / fps);
                driver.runDueTicks();
                windows += drawn && reader.acquire() ? 1 : 0;
            }
            assertThat(driver.divergence()).isEmpty();
            assertThat(windows > 0).isEqualTo(drawn);
        }
        assertThat(recorded).hasSizeGreaterThan(500).doesNotHaveDuplicates();
        assertThat(witness.hashes).isEqualTo(recorded);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldRepeatARunInWhichTimeWasSkippedOrSlowed(boolean isSlowed) throws Exception {
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

    /** There is nothing after the end of the log, however often it is asked for. */
    private static void assertStandsStillForGood(InlineDriver driver, ManualClock clock) {
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        driver.step();
        for (int second = 0; second < 3; second++) {
            clock.advance(1000 * MILLI);
            assertThat(driver.runDueTicks()).isZero();
        }
    }

    @Test
    void shouldRepeatInAServiceWhatAServiceDid() throws Exception {
        TickRate rate = TickRate.hertz(1000);
        RunDescription run = new RunDescription("spring", "1", "50", 4, rate);
        PushedMasses original = new PushedMasses(50);
        try (Recording recording = Recording.create(file, run)) {
            try (PhysicsService physics =
                    PhysicsService.builder(original).rate(rate).with(recording).start()) {
                RandomPlayer player = new RandomPlayer(9, physics.input(), NanoClock.system());
                for (long tick = 0;
                        tick < 300;
                        tick = Await.get(physics.query(now -> now)).tick()) {
                    player.play();
                }
            }
            assertThat(recording.failure()).isEmpty();
        }
        InputLog log = InputLog.open(file);
        assertThat(log.ticks()).isGreaterThanOrEqualTo(300);
        assertThat(original.inputsApplied()).isPositive();

        PushedMasses inService = new PushedMasses(50);
        try (PhysicsService physics =
                PhysicsService.builder(inService).replay(log).start()) {
            assertThat(physics.rate()).isEqualTo(rate);
            Await.state(physics, ServiceState.PAUSED);
            physics.resume();
            assertThat(Await.get(physics.query(inner -> inService.hash())).value())
                    .isEqualTo(original.hash());
            assertThat(physics.divergence()).isEmpty();
        }
        assertThat(inService.inputsApplied()).isEqualTo(original.inputsApplied());
    }
}
