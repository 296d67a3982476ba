package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.capture.PoseWriter;
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

    private final Interrupting simulation = new Interrupting();

    @Test
    void shouldReplayToItsEndOnAPhysicsThread() throws Exception {
        InputLog log = record();
        try (PhysicsService physics =
                PhysicsService.builder(simulation).replay(log).start()) {
            Await.until(() -> physics.state() == ServiceState.PAUSED || physics.state() == ServiceState.FAILED);
            assertThat(physics.failure()).isEmpty();
            assertThat(physics.divergence()).isEmpty();
        }
        assertThat(simulation.steps).isEqualTo(TICKS);
        assertThat(simulation.foundPending).as("at every step but the first").isEqualTo(TICKS - 1);
    }

    @Test
    void shouldReplayToItsEndInTheCallersLoop() throws Exception {
        InputLog log = record();
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver =
                PhysicsService.builder(simulation).replay(log).inline(clock)) {
            clock.advance(RATE.nanosAt(TICKS));
            driver.runDueTicks();
            assertThat(driver.divergence()).isEmpty();
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
        assertThat(simulation.steps).isEqualTo(TICKS);
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

    /** What the physics thread writes is read when it has ended, or stands still. */
    private static final class Interrupting implements Simulation {

        private final PushedMasses masses = new PushedMasses(BODIES);
        private volatile int steps;
        private volatile int foundPending;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void step(Tick tick) {
            masses.step(tick);
            steps++;
            if (Thread.currentThread().isInterrupted()) {
                foundPending++;
            }
            Thread.currentThread().interrupt();
        }

        @Override
        public void capture(PoseWriter poses) {
            masses.capture(poses);
        }

        @Override
        public long hash() {
            return masses.hash();
        }
    }
}
