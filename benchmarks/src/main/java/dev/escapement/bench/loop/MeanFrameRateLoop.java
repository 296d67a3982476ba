package dev.escapement.bench.loop;

/**
 * Steps a frame: the simulation's rate over the mean frame rate of the last frames. Right when frames are all alike; the world drifts
 * from the clock when they are not, because whole steps are rounded in every frame and nothing is carried.
 */
public final class MeanFrameRateLoop {

    private final double hertz;
    private final double[] recentSeconds;
    private int frames;

    /** A loop at this rate, with a mean over so many frames. */
    public MeanFrameRateLoop(double hertz, int framesInMean) {
        this.hertz = hertz;
        recentSeconds = new double[framesInMean];
    }

    /** How many steps a frame that took so long does. */
    public long frame(double elapsedSeconds) {
        recentSeconds[frames % recentSeconds.length] = elapsedSeconds;
        frames++;
        int known = Math.min(frames, recentSeconds.length);
        double sum = 0;
        for (int i = 0; i < known; i++) {
            sum += recentSeconds[i];
        }
        double meanFrameRate = known / sum;
        return Math.round(hertz / meanFrameRate);
    }
}
