package dev.escapement.bench.compare;

import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.state.time.TickRate;
import java.util.function.DoubleConsumer;

/**
 * Counts the steps of a frame before it takes them, and saves the state after the last two only, which is what a frame is blended
 * from. The states are those of {@link CappedTicks}. It needs a world that can be saved as a whole: what the world told step by step, that
 * something appeared or jumped, is lost in the steps that are not saved.
 */
final class CountedFirstLoop {

    private static final int NEEDED = 2;

    /** A world that is stepped by seconds, and whose whole state can be saved at any time. */
    interface World extends DoubleConsumer {

        /** Writes the whole state. */
        void saveTo(double[] state);
    }

    private final World world;
    private final CappedTicks cap;
    private double[] previous;
    private double[] current;
    private long releasedNanos;
    private long stepsDone;
    private long saves;

    /** A loop that steps this world, whose state is so many numbers, at most {@code mostSteps} times a frame. */
    CountedFirstLoop(World world, int numbers, TickRate rate, int mostSteps) {
        this.world = world;
        cap = new CappedTicks(rate, mostSteps);
        previous = new double[numbers];
        current = new double[numbers];
    }

    /** A frame that took so long, 0 for the first; returns how many steps it does. */
    int frame(long elapsedNanos) {
        releasedNanos += cap.release(releasedNanos, elapsedNanos);
        int steps = (int) (cap.rate().tickAt(releasedNanos) - stepsDone);
        for (int left = steps; left > 0; left--) {
            world.accept(cap.rate().dtSeconds());
            if (left <= NEEDED) {
                save();
            }
        }
        stepsDone += steps;
        return steps;
    }

    private void save() {
        double[] oldest = previous;
        previous = current;
        current = oldest;
        world.saveTo(current);
        saves++;
    }

    /** A number of the state, blended as far as time has gone beyond the last step. */
    double shown(int number) {
        double alpha =
                (releasedNanos - cap.rate().nanosAt(stepsDone)) / (cap.rate().dtSeconds() * 1e9);
        return Picture.blend(previous[number], current[number], alpha);
    }

    /** The state before the last step. */
    double[] previous() {
        return previous;
    }

    /** The state after the last step. */
    double[] current() {
        return current;
    }

    /** How often the state was saved. */
    long saves() {
        return saves;
    }
}
