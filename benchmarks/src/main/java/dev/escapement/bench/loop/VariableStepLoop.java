package dev.escapement.bench.loop;

/** One step of whatever time the frame took: what comes out depends on the frame rate, and stiff things explode. */
public final class VariableStepLoop {

    private final SteppedWorld world;

    /** A loop that steps this world. */
    public VariableStepLoop(SteppedWorld world) {
        this.world = world;
    }

    /** A frame that took so long. */
    public void frame(double elapsedSeconds) {
        world.step(elapsedSeconds);
    }
}
