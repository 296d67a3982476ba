package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks for more than a log has, whenever it is, gets nothing, and breaks nothing. */
@Timeout(60)
class ReplayEndTest {

    private static final TickRate RATE = TickRate.hertz(10_000);

    @TempDir
    Path folder;

    @Test
    void shouldStandStillAtTheEndHoweverOftenTimeIsToGoOn() throws Exception {
        InputLog log = record(3);
        AtomicBoolean enough = new AtomicBoolean();
        for (int run = 0; run < 20; run++) {
            try (PhysicsService physics =
                    PhysicsService.builder(new Witness()).replay(log).build()) {
                enough.set(false);
                Thread impatient = new Thread(() -> {
                    while (!enough.get()) {
                        physics.resume();
                    }
                });
                impatient.start();
                physics.start();
                Await.until(() -> physics.state() == ServiceState.PAUSED || physics.state() == ServiceState.FAILED);
                enough.set(true);
                impatient.join();
                assertThat(physics.failure()).isEmpty();
            }
        }
    }

    private InputLog record(int ticks) throws Exception {
        Path file = folder.resolve("run");
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(file, new RunDescription("witness", "1", "", 0, RATE));
                InlineDriver driver = PhysicsService.builder(new Witness())
                        .rate(RATE)
                        .record(recording)
                        .inline(clock)) {
            clock.advance(RATE.nanosAt(ticks));
            driver.runDueTicks();
        }
        return InputLog.open(file);
    }
}
