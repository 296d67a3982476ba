package dev.escapement.bench.compare;

import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.state.time.TickRate;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/**
 * Counts the steps of a frame before it takes them, and saves the state after the last two only, which is what a frame is blended
 * from. The states are those of {@link CappedTicks}. It needs a world that can be saved as a whole: what the world told step by step, that
 * something appeared or jumped, is lost in the steps that are not saved.
 */
final class CountedFirstLoop {

    private static final int NEEDED = 2;

    private final DoubleConsumer world;
    private final Consumer<double[]> save;
    private final CappedTicks cap;
    private long releasedNanos;
    private long stepsDone;

    /** The states before and after the last step. */
    double[] previous;

    double[] current;

    /** A loop of at most so many steps of a world a frame; {@code save} writes the whole state of that, so many numbers. */
    CountedFirstLoop(DoubleConsumer world, Consumer<double[]> save, int numbers, TickRate rate, int mostSteps) {
        this.world = world;
        this.save = save;
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
        save.accept(current);
    }

    /** A number of the state, blended as far as time has gone beyond the last step. */
    double shown(int number) {
        double alpha =
                (releasedNanos - cap.rate().nanosAt(stepsDone)) / (cap.rate().dtSeconds() * 1e9);
        return Picture.blend(previous[number], current[number], alpha);
    }
}
