package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/** A simulation that fails in one of its ticks, in its step or in the middle of its capture. */
public final class FailingWorld extends ForwardingSimulation {

    private static final float NOWHERE = 1e9f;

    private final long lastTicks;
    private final boolean inCapture;
    private final Runnable failure;
    private long ticks;

    /**
     * A simulation.
     *
     * @param world     what it does until then, with two bodies at least
     * @param lastTicks which of its own ticks is its last, from 1, or from 2 in its capture
     * @param inCapture whether it fails in its capture
     * @param failure   throws or hangs; one body was written elsewhere before, and another is after it, if it returns
     */
    public FailingWorld(Simulation world, long lastTicks, boolean inCapture, Runnable failure) {
        super(world);
        this.lastTicks = lastTicks;
        this.inCapture = inCapture;
        this.failure = failure;
    }

    @Override
    public void step(Tick tick) throws Exception {
        super.step(tick);
        if (++ticks == lastTicks && !inCapture) {
            failure.run();
        }
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        if (ticks < lastTicks) {
            super.capture(poses);
            return;
        }
        poses.set(0, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1);
        if (inCapture) {
            failure.run();
        }
        poses.set(1, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1);
    }
}
