package dev.escapement.bench.compare;

import java.util.OptionalLong;

/**
 * A loop whose frames draw, and step unless another thread does, until it is closed.
 *
 * @param picture        what the last frame has drawn
 * @param startedAtNanos when simulated time began; empty if it begins with the first frame
 * @param frame          draws, and returns when that and the steps that it runs are done
 * @param end            closes what is simulated
 */
record GameLoop(Picture picture, OptionalLong startedAtNanos, Frame frame, Runnable end) implements AutoCloseable {

    /** What is done in a frame. */
    @FunctionalInterface
    interface Frame {

        /** Draws, from an instant on, what is expected to be displayed at another. */
        void draw(long beginNanos, long displayNanos);
    }

    @Override
    public void close() {
        end.run();
    }
}
