package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a recorded run of the pile of boxes is good for. */
@ParameterizedClass
@EnumSource(Piles.class)
class RecordedPileTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BOXES = 60;
    private static final int TICKS = 200;
    private static final int KEY_W = 87;
    private static final int KEY_D = 68;

    private final ManualClock clock = new ManualClock(0);

    private final Piles engine;

    RecordedPileTest(Piles engine) {
        this.engine = engine;
    }

    @Test
    void aRecordedRunIsRepeatedAndADifferenceNamed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("pile");
        EnginePile<?> recorded = engine.create(new BoxPile(BOXES));
        try (Recording recording = Recording.create(file, new RunDescription("pile", "", "pile", 0, RATE))
                        .withDigests();
                InlineDriver driver =
                        PhysicsService.builder(recorded).record(recording).inline(clock)) {
            play(driver);
            assertThat(recorded.position(BOXES - 1).y()).as("it was dragged").isGreaterThan(15);
        }
        InputLog log = InputLog.open(file);
        try (InlineDriver driver = replay(log, engine.create(new BoxPile(BOXES)))) {
            assertThat(driver.runDueTicks()).isEqualTo(TICKS);
            assertThat(driver.divergence()).isEmpty();
        }
        EnginePile<?> pushed = engine.create(new BoxPile(BOXES));
        pushed.push(41, 0, 0.01, 0);
        try (InlineDriver driver = replay(log, pushed)) {
            driver.runDueTicks();
            assertThat(driver.divergence().orElseThrow().tick()).isEqualTo(1);
            assertThat(driver.divergence().orElseThrow().body()).isEqualTo(41);
            assertThat(driver.divergence().orElseThrow().component()).isEqualTo("position y");
        }
    }

    private void play(InlineDriver driver) {
        for (int tick = 0; tick < TICKS; tick++) {
            driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, tick, 3);
            if (tick % 10 == 0) {
                driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, tick % 20 == 0 ? KEY_W : KEY_D, 0, 0);
            }
            if (tick == 20) {
                DragInput.hold(driver.input(), clock.nanoTime(), BodyId.of(BOXES - 1, 1));
                DragInput.to(driver.input(), clock.nanoTime(), 20, 30, 0);
            } else if (tick == 150) {
                DragInput.end(driver.input(), clock.nanoTime());
            }
            clock.advance(RATE.nanosAt(1));
            driver.runDueTicks();
        }
    }

    private InlineDriver replay(InputLog log, Simulation simulation) {
        InlineDriver driver = PhysicsService.builder(simulation).replay(log).inline(clock);
        clock.advance(10_000_000_000L);
        return driver;
    }
}
