package dev.escapement.bench.compare;

import dev.escapement.state.time.TickRate;
import java.util.function.DoubleConsumer;

/**
 * The irregular game loops of the literature: those whose step varies, or whose number of steps does not follow from the time that
 * passed. Loops with a constant tick are policies in {@code dev.escapement.physics.loop}.
 *
 * <p>One thread.
 */
final class IrregularLoops {

    private IrregularLoops() {}

    /**
     * Steps a frame: the simulation's rate over the mean frame rate of the last frames. Right when frames are all alike; the world drifts
     * from the clock when they are not, because whole steps are rounded in every frame and nothing is carried.
     */
    static final class MeanFrameRate {

        private final double hertz;
        private final double[] recentSeconds;
        private int frames;

        /** A loop at this rate, with a mean over so many frames. */
        MeanFrameRate(double hertz, int framesInMean) {
            this.hertz = hertz;
            recentSeconds = new double[framesInMean];
        }

        /** How many steps a frame that took so long does. */
        long frame(double elapsedSeconds) {
            recentSeconds[frames % recentSeconds.length] = elapsedSeconds;
            frames++;
            int known = Math.min(frames, recentSeconds.length);
            double sum = 0;
            for (int i = 0; i < known; i++) {
                sum += recentSeconds[i];
            }
            return Math.round(hertz / (known / sum));
        }
    }

    /**
     * Steps of whole periods of the display; above a threshold one step with all the time that passed, so that the world keeps up with
     * the clock. A long step passes obstacles that should have stopped a body.
     */
    static final class RealTimeOverload {

        private final DoubleConsumer world;
        private final TickRate refresh;
        private final int mostPeriods;
        private long elapsedNanos;
        private long periodsDone;

        /** A loop that steps this world by periods, and by everything above {@code mostPeriods} of them. */
        RealTimeOverload(DoubleConsumer world, TickRate refresh, int mostPeriods) {
            this.world = world;
            this.refresh = refresh;
            this.mostPeriods = mostPeriods;
        }

        /** A frame that took so long. */
        void frame(long frameNanos) {
            elapsedNanos += frameNanos;
            long periods = refresh.tickAt(elapsedNanos) - periodsDone;
            periodsDone += periods;
            if (periods > mostPeriods) {
                world.accept(periods * refresh.dtSeconds());
            } else {
                for (long period = 0; period < periods; period++) {
                    world.accept(refresh.dtSeconds());
                }
            }
        }
    }

    /**
     * Charges each step with more than its length when steps cost more than they stand for: the world slows down, and the number of
     * steps a frame settles. Not for networks: how much time passes depends on how fast the machine is.
     */
    static final class SoftenedOverload {

        private static final double USUAL_FRAMES_PER_SECOND = 60;

        private final double stepSeconds;
        private final boolean softened;
        private double accumulatedSeconds;

        /** A loop of steps of this length; without softening, a step that is too slow is charged with its cost alone. */
        SoftenedOverload(double stepSeconds, boolean softened) {
            this.stepSeconds = stepSeconds;
            this.softened = softened;
        }

        /** How many steps a frame does, where each step of the frame before took so long, 0 if it had none. */
        int frame(double elapsedSeconds, double renderSeconds, double meanCostSeconds) {
            accumulatedSeconds += elapsedSeconds;
            double charge = meanCostSeconds < stepSeconds
                    ? stepSeconds
                    : meanCostSeconds + (softened ? USUAL_FRAMES_PER_SECOND * stepSeconds * renderSeconds : 0);
            int steps = 0;
            while (accumulatedSeconds >= charge) {
                accumulatedSeconds -= charge;
                steps++;
            }
            return steps;
        }
    }
}
