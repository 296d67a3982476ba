package dev.escapement.bench.compare;

/**
 * A loop whose frames step and draw, until it is closed.
 *
 * @param picture what the last frame has drawn
 * @param body    a frame: steps what it finds due, draws, and returns when both are done
 * @param end     closes what is simulated
 */
record GameLoop(Picture picture, Runnable body, Runnable end) implements AutoCloseable {

    void frame() {
        body.run();
    }

    @Override
    public void close() {
        end.run();
    }
}
