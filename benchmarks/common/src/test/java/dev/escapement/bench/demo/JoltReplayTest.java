package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thousand boxes that fall and are pushed: the same state in every tick, shown by any reader and stepped by any number of threads. */
class JoltReplayTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final BoxPile PILE = new BoxPile(1000);
    private static final int TICKS = 150;

    @TempDir
    static Path folder;

    @BeforeAll
    static void record() throws IOException {
        ManualClock clock = new ManualClock(0);
        SplittableRandom random = new SplittableRandom(3);
        try (Recording recording = Recording.create(log(), new RunDescription("jolt", "", "pile", 0, RATE));
                InlineDriver driver = PhysicsService.builder(new JoltPile(PILE, 1))
                        .record(recording)
                        .inline(clock)) {
            for (int tick = 0; tick < TICKS; tick++) {
                long stampNanos = clock.nanoTime() + random.nextLong(RATE.nanosAt(1));
                driver.input().offer(stampNanos, InputKind.APPLICATION, PushControls.PUSH_ONE, random.nextInt(1000), 3);
                clock.advance(RATE.nanosAt(1));
                driver.runDueTicks();
            }
            assertThat(recording.failure()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"15, 1, true", "60, 1, true", "240, 1, true", "60, 4, true", "60, 1, false"})
    void shouldLeadToTheSameStateHoweverItIsPlayedBack(int fps, int scale, boolean drawn) throws IOException {
        repeat(fps, scale, 1, drawn);
    }

    @Test
    void shouldLeadToTheSameStateWithTwoWorkers() throws IOException {
        repeat(60, 1, 2, true);
    }

    private static void repeat(int fps, int scale, int workers, boolean drawn) throws IOException {
        InputLog log = InputLog.open(log());
        ManualClock clock = new ManualClock(5_000);
        try (InlineDriver driver =
                PhysicsService.builder(new JoltPile(PILE, workers)).replay(log).inline(clock)) {
            driver.timeScale(new TimeScale(scale, 1));
            SnapshotReader reader = driver.newReader();
            int ticks = 0;
            int windows = 0;
            for (int frame = 0; frame < 10 * fps && ticks < TICKS; frame++) {
                clock.advance(1_000_000_000 / fps);
                ticks += driver.runDueTicks();
                windows += drawn && reader.acquire() ? 1 : 0;
            }
            assertThat(driver.divergence()).isEmpty();
            assertThat(ticks).isEqualTo(TICKS);
            assertThat(windows > 0).isEqualTo(drawn);
        }
    }

    private static Path log() {
        return folder.resolve("pile.esclog");
    }
}
