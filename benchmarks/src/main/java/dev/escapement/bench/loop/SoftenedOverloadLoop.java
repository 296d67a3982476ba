package dev.escapement.bench.loop;

/**
 * Charges each step with more than its length when steps cost more than they stand for: the world slows down, and the number of
 * steps a frame settles. Not for networks: how much time passes depends on how fast the machine is.
 */
public final class SoftenedOverloadLoop {

    private static final double USUAL_FRAMES_PER_SECOND = 60;

    private final double stepSeconds;
    private final boolean softened;
    private double accumulatedSeconds;

    /** A loop of steps of this length; without softening, a step that is too slow is charged with its cost alone. */
    public SoftenedOverloadLoop(double stepSeconds, boolean softened) {
        this.stepSeconds = stepSeconds;
        this.softened = softened;
    }

    /**
     * A frame.
     *
     * @param elapsedSeconds  since the frame before
     * @param renderSeconds   how long drawing takes
     * @param meanCostSeconds how long each step of the frame before took, 0 if it had none
     * @return how many steps it does
     */
    public int frame(double elapsedSeconds, double renderSeconds, double meanCostSeconds) {
        accumulatedSeconds += elapsedSeconds;
        double charge = charge(renderSeconds, meanCostSeconds);
        int steps = 0;
        while (accumulatedSeconds >= charge) {
            accumulatedSeconds -= charge;
            steps++;
        }
        return steps;
    }

    private double charge(double renderSeconds, double meanCostSeconds) {
        if (meanCostSeconds < stepSeconds) {
            return stepSeconds;
        }
        return softened ? meanCostSeconds + USUAL_FRAMES_PER_SECOND * stepSeconds * renderSeconds : meanCostSeconds;
    }
}
