package dev.escapement.bench.input;

/** Takes what a queue is drained of. Called on the thread that drains. */
@FunctionalInterface
public interface InputSink {

    /** Takes an event with what its producer offered. */
    void take(long timeNanos, int code, float x, float y);
}
