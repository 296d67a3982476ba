package dev.escapement.bench.run;

import dev.escapement.bench.report.EndRequest;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws a run at some rate, and occupies the main thread meanwhile. */
interface Stage extends AutoCloseable {

    /** The frames per second. */
    double framesPerSecond();

    /**
     * A world that is drawn.
     *
     * @param readers creates readers of it
     * @param input   takes its input
     * @param physics ticks it, already started; null if another process does
     * @param history lets it go back, null if it cannot
     * @param counts  further counts
     */
    record Drawn(
            Supplier<SnapshotReader> readers,
            InputRing input,
            @Nullable PhysicsService physics,
            @Nullable StateHistory history,
            Supplier<Map<String, Long>> counts) {

        static Drawn of(PhysicsService physics, @Nullable StateHistory history) {
            return new Drawn(physics::newReader, physics.input(), physics, history, physics.stats()::counts);
        }
    }

    /** The simulation to run instead of a world's own. */
    default Simulation slowed(Simulation simulation) {
        return simulation;
    }

    /** Starts to draw a world. */
    RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener);

    /** Whether the run is to end, and to start over. */
    default boolean wantsRestart() {
        return false;
    }

    /** Occupies the main thread until the run is over, or is {@linkplain EndRequest asked to end}. */
    void waitWhile(BooleanSupplier running, InputRing input);

    /** Whether a person plays, who may also change the speed of time: then one more reader is needed, but no scripted player. */
    boolean hasPlayer();

    /** Whether a person may let the world go back. */
    default boolean mayRewind() {
        return false;
    }

    /** Main thread, when drawing has ended. */
    @Override
    default void close() {}

    /**
     * A renderer without a graphics card: every frame fills the instance buffer for every body and is not drawn, because a
     * software renderer would dominate the measurement.
     */
    class Headless implements Stage {

        private static final long LOOK_NANOS = 2_000_000;

        private final TickRate fps;

        Headless(TickRate fps) {
            this.fps = fps;
        }

        @Override
        public double framesPerSecond() {
            return fps.inHertz();
        }

        @Override
        public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
            InstanceBuffer instances = new InstanceBuffer();
            RenderBackend backend = frame -> instances.write(frame.interpolator(), 0, 0, 0);
            return RenderLoop.start(view, backend, fps, listener);
        }

        @Override
        public void waitWhile(BooleanSupplier running, InputRing input) {
            while (running.getAsBoolean()
                    && !EndRequest.isMade()
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        @Override
        public boolean hasPlayer() {
            return false;
        }
    }
}
