package dev.escapement.bench.run;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A renderer up to the graphics card: every frame fills the instance buffer for every body and is not drawn, because a
 * software renderer would be the thing measured.
 */
final class HeadlessStage implements Stage {

    private static final long LOOK_NANOS = 2_000_000;

    private final TickRate fps;

    HeadlessStage(TickRate fps) {
        this.fps = fps;
    }

    @Override
    public double framesPerSecond() {
        return fps.inHertz();
    }

    @Override
    public RenderLoop startDrawing(FrameView view, FrameListener listener) {
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        RenderBackend backend = frame -> instances.write(frame.interpolator(), 0, 0, 0);
        return RenderLoop.start(view, backend, fps, listener);
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        while (running.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public boolean hasPlayer() {
        return false;
    }
}
