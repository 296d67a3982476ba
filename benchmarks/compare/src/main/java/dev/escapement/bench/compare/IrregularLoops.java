package dev.escapement.bench.compare;

import dev.escapement.bench.compare.FramePolicies.CappedTicks;
import dev.escapement.state.time.TickRate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/**
 * The game loops of the literature that are no {@link dev.escapement.render.gameloop.FramePolicy}. Their steps vary in length, or do not
 * depend in number on the time passed, or they save the whole state.
 *
 * <p>One thread.
 */
final class IrregularLoops {

    private IrregularLoops() {}

    /**
     * Counts the steps of a frame before it takes them, and saves the state after the last two only. A frame blends these two states. They
     * are the same as with {@link CappedTicks}. The loop needs a world that can be saved as a whole: events of the world, such as spawns
     * and jumps, are lost in the steps that are not saved.
     */
    static final class CountedFirst {

        private final DoubleConsumer world;
        private final Consumer<double[]> save;
        private final CappedTicks cap;
        private long releasedNanos;
        private long stepsDone;

        /** The states before and after the last step. */
        double[] previous;

        double[] current;

        /** A loop over a world; {@code save} writes its whole state, {@code numbers} numbers. */
        CountedFirst(DoubleConsumer world, Consumer<double[]> save, int numbers, CappedTicks cap) {
            this.world = world;
            this.save = save;
            this.cap = cap;
            previous = new double[numbers];
            current = new double[numbers];
        }

        /** A frame, with the time since the previous one, 0 for the first; returns how many steps it runs. */
        int frame(long elapsedNanos) {
            releasedNanos += cap.release(releasedNanos, elapsedNanos);
            int steps = (int) (cap.rate().tickAt(releasedNanos) - stepsDone);
            for (int left = steps; left > 0; left--) {
                world.accept(cap.rate().dtSeconds());
                if (left <= 2) {
                    double[] oldest = previous;
                    previous = current;
                    current = oldest;
                    save.accept(current);
                }
            }
            stepsDone += steps;
            return steps;
        }

        /** A number of the state, blended as far as time has gone beyond the last step. */
        double shown(int number) {
            double stepNanos = cap.rate().dtSeconds() * 1e9;
            double alpha = (releasedNanos - cap.rate().nanosAt(stepsDone)) / stepNanos;
            return Picture.blend(previous[number], current[number], alpha);
        }
    }

    /**
     * Steps a frame: the simulation's rate over the mean frame rate of the last frames. Right when frames are all alike; the world drifts
     * from the clock when they are not, because whole steps are rounded in every frame and nothing is carried.
     */
    static final class MeanFrameRate {

        private static final int FRAMES_IN_MEAN = 10;

        private final double hertz;
        private final Deque<Double> recentSeconds = new ArrayDeque<>();

        MeanFrameRate(double hertz) {
            this.hertz = hertz;
        }

        /** How many steps a frame runs, with the time since the previous one. */
        long frame(double elapsedSeconds) {
            recentSeconds.add(elapsedSeconds);
            if (recentSeconds.size() > FRAMES_IN_MEAN) {
                recentSeconds.remove();
            }
            double mean = recentSeconds.stream()
                    .mapToDouble(seconds -> seconds)
                    .average()
                    .orElseThrow();
            return Math.round(hertz * mean);
        }
    }

    /**
     * Steps of whole periods of the display; above a threshold one step with all the time that passed, so that the world keeps up with
     * the clock. A long step passes obstacles that should have stopped a body.
     */
    static final class RealTimeOverload {

        private final DoubleConsumer world;
        private final TickRate refresh;
        private final int maxPeriods;
        private long elapsedNanos;

        /** A loop that steps this world by periods, and by everything above {@code maxPeriods} of them. */
        RealTimeOverload(DoubleConsumer world, TickRate refresh, int maxPeriods) {
            this.world = world;
            this.refresh = refresh;
            this.maxPeriods = maxPeriods;
        }

        /** A frame, with the time since the previous one. */
        void frame(long frameNanos) {
            long periodsDone = refresh.tickAt(elapsedNanos);
            elapsedNanos += frameNanos;
            long periods = refresh.tickAt(elapsedNanos) - periodsDone;
            if (periods > maxPeriods) {
                world.accept(periods * refresh.dtSeconds());
                return;
            }
            for (long period = 0; period < periods; period++) {
                world.accept(refresh.dtSeconds());
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
        private double accumulatedSeconds;

        /** A loop of steps of this length. */
        SoftenedOverload(double stepSeconds) {
            this.stepSeconds = stepSeconds;
        }

        /** How many steps a frame runs, with the time of each step of the previous frame, 0 if it had none. */
        int frame(double elapsedSeconds, double renderSeconds, double meanCostSeconds) {
            accumulatedSeconds += elapsedSeconds;
            double charge = meanCostSeconds < stepSeconds
                    ? stepSeconds
                    : meanCostSeconds + USUAL_FRAMES_PER_SECOND * stepSeconds * renderSeconds;
            int steps = 0;
            while (accumulatedSeconds >= charge) {
                accumulatedSeconds -= charge;
                steps++;
            }
            return steps;
        }
    }
}
