package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.bench.MeddledSprings;
import dev.escapement.bench.WrittenLog;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReplayTest {

    private static final int BODIES = 6;
    private static final int TICKS = 40;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {3, 25, TICKS})
    void shouldShowTheTickAskedForFirstAndTheEndLast(long from) throws Exception {
        Spectator spectator = new Spectator(TICKS);
        SpringSimulation springs = new SpringSimulation(BODIES);
        Replay.Result result = replay(springs, springs, spectator, from);

        assertThat(spectator.firstTick).isEqualTo(from);
        assertThat(spectator.lastTick).isEqualTo(TICKS);
        assertThat(spectator.bodies).as("bodies and the metronome").isEqualTo(BODIES + 1);
        assertThat(result.ticks()).isEqualTo(TICKS);
        assertThat(result.divergence()).isEmpty();
        assertThat(result.stateHash()).isEqualTo(springs.hash());
    }

    @Test
    void shouldEndWhenTheSimulationFails() {
        SpringSimulation springs = new SpringSimulation(BODIES);
        Simulation failing = new MeddledSprings(springs, 30, () -> {
            throw new IllegalStateException("springs broke");
        });
        assertThatThrownBy(() -> replay(failing, springs, new Spectator(TICKS), 20))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("after tick 29")
                .hasMessageContaining("springs broke");
    }

    private Replay.Result replay(Simulation simulation, SpringSimulation springs, Stage stage, long from)
            throws Exception {
        InputLog log = InputLog.open(WrittenLog.write(
                folder.resolve("log"), WrittenLog.springs(BODIES), new SpringSimulation(BODIES), TICKS));
        World.Source source = World.Source.of(log.run());
        World world = new World(simulation, springs, source.worlds().get().scene());
        return new Replay(log, source, world).show(stage, from);
    }

    /** Lets time go on when the first frame was seen, and leaves when the last tick was. */
    private static final class Spectator implements Stage {

        private final Stage stage = new Stage.Headless(TickRate.hertz(500));
        private final CountDownLatch sawOne = new CountDownLatch(1);
        private final long lastAwaited;

        // Volatile: written by the render thread, read by the main thread; nothing else is ordered by them.
        private volatile long firstTick = -1;
        private volatile long lastTick = -1;
        private volatile int bodies;

        Spectator(long lastAwaited) {
            this.lastAwaited = lastAwaited;
        }

        @Override
        public double framesPerSecond() {
            return stage.framesPerSecond();
        }

        @Override
        public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
            RenderLoop loop = stage.startDrawing(drawn, view, new FrameListener() {
                @Override
                public void drawn(FrameView drawn, long slotNanos, long completedNanos) {
                    lastTick = drawn.window().newestTick();
                    bodies = drawn.poses().slotCount();
                    if (firstTick < 0) {
                        firstTick = lastTick;
                        sawOne.countDown();
                    }
                }
            });
            try {
                sawOne.await();
            } catch (InterruptedException e) {
                throw new AssertionError("no frame was drawn", e);
            }
            return loop;
        }

        @Override
        public void waitWhile(BooleanSupplier running, InputRing input) {
            stage.waitWhile(() -> running.getAsBoolean() && lastTick < lastAwaited, input);
        }

        @Override
        public boolean hasPlayer() {
            return true;
        }
    }
}
