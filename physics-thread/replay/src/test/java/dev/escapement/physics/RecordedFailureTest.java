package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of a tick that failed, and of later ones that run nevertheless. */
class RecordedFailureTest {

    private static final RunDescription RUN = new RunDescription("witness", "1", "", 0, TickRate.hertz(100));

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock(0);
    private Path file;
    private Recording recording;

    @BeforeEach
    void create() throws IOException {
        file = folder.resolve("run");
        recording = Recording.create(file, RUN);
    }

    /** Half of the step may have run, and then runs again: no log can repeat that. */
    @Test
    void shouldRecordTheTicksBeforeTheOneThatFailed() throws IOException {
        Witness simulation = new Witness() {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                failIf(tick.number() == 3);
            }
        };
        try (InlineDriver driver =
                PhysicsService.builder(simulation).with(recording).inline(clock)) {
            clock.advance(30_000_000);
            assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessage("engine full");
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.ticks()).isEqualTo(2);
        assertThat(log.isComplete()).isTrue();
    }

    /** The tick was complete before any listener was called. */
    @Test
    void shouldResumeRecordingWhereOnlyEventsFailed() throws IOException {
        Witness mute = new Witness() {
            @Override
            public void events(EventWriter events) {
                failIf(hashes.size() == 3);
            }
        };
        try (InlineDriver driver = PhysicsService.builder(mute).with(recording).inline(clock)) {
            driver.events(16);
            clock.advance(50_000_000);
            assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessage("engine full");
            assertThat(driver.runDueTicks()).isEqualTo(2);
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        assertThat(InputLog.open(file).ticks()).isEqualTo(5);
    }

    private static void failIf(boolean full) {
        if (full) {
            throw new IllegalStateException("engine full");
        }
    }
}
