package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt of the thread that ticks is the simulation's own affair: it ends no replay, and stays pending. */
@Timeout(60)
class InterruptedReplayTest {

    private static final TickRate RATE = TickRate.hertz(1000);
    private static final int BODIES = 100;
    private static final int TICKS = 200;

    /** More than is read ahead, so that the file is read again after the interrupt. */
    private static final long LEAST_BYTES = 200_000;

    @TempDir
    Path folder;

    @Test
    void shouldReplayToItsEnd() throws Exception {
        InputLog log = record();
        boolean[] pending = new boolean[TICKS + 1];
        Simulation simulation = new PushedMasses(BODIES) {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                pending[(int) tick.number()] = Thread.currentThread().isInterrupted();
                Thread.currentThread().interrupt();
            }
        };
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver =
                PhysicsService.builder(simulation).replay(log).inline(clock)) {
            clock.advance(RATE.nanosAt(TICKS));
            assertThat(driver.runDueTicks()).isEqualTo(TICKS);
            assertThat(driver.divergence()).isEmpty();
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
        for (int tick = 2; tick <= TICKS; tick++) {
            assertThat(pending[tick]).as("in tick %s", tick).isTrue();
        }
    }

    @Test
    void shouldOpenALogWithAnInterruptPending() throws Exception {
        record();
        Thread.currentThread().interrupt();
        try {
            assertThat(InputLog.open(folder.resolve("run")).ticks()).isEqualTo(TICKS);
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
    }

    private InputLog record() throws Exception {
        Path file = folder.resolve("run");
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(file, new RunDescription("masses", "1", "", BODIES, RATE))
                        .withDigests();
                InlineDriver driver = PhysicsService.builder(new PushedMasses(BODIES))
                        .rate(RATE)
                        .record(recording)
                        .inline(clock)) {
            clock.advance(RATE.nanosAt(TICKS));
            driver.runDueTicks();
        }
        assertThat(Files.size(file)).isGreaterThan(LEAST_BYTES);
        return InputLog.open(file);
    }
}
