package dev.escapement.bench.run;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.input.InputRing;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A renderer up to the graphics card: every frame fills the instance buffer for every body and is not drawn, because a
 * software renderer would be the thing measured.
 */
final class HeadlessStage implements Stage {

    private static final long LOOK_NANOS = 2_000_000;

    @Override
    public RenderBackend backend() {
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        return new RenderBackend() {
            @Override
            public void draw(FrameView view) {
                instances.write(view.interpolator(), 0, 0, 0);
            }
        };
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
