package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/** A simulation that meets its doom in one of its ticks, in its step or in the middle of its capture. */
public final class DoomedWorld implements Simulation {

    private static final float NOWHERE = 1e9f;

    private final Simulation world;
    private final long lastTicks;
    private final boolean inCapture;
    private final Runnable doom;
    private long ticks;

    /**
     * A simulation.
     *
     * @param world     what it is until then, with two bodies at least
     * @param lastTicks which of its own ticks is its last, from 1, or from 2 in its capture
     * @param inCapture whether it is captured when it happens
     * @param doom      what happens; it says that one body is nowhere before, and of another if it comes back
     */
    public DoomedWorld(Simulation world, long lastTicks, boolean inCapture, Runnable doom) {
        this.world = world;
        this.lastTicks = lastTicks;
        this.inCapture = inCapture;
        this.doom = doom;
    }

    @Override
    public void begin() throws Exception {
        world.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        world.step(tick);
        if (++ticks == lastTicks && !inCapture) {
            doom.run();
        }
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        if (ticks < lastTicks) {
            world.capture(poses);
            return;
        }
        poses.set(0, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1);
        if (inCapture) {
            doom.run();
        }
        poses.set(1, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1);
    }

    @Override
    public void close() {
        world.close();
    }
}
