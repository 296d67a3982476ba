package dev.escapement.bench.input;

/**
 * An event as a user of a queue of objects would write it.
 *
 * @param timeNanos when it happened
 * @param code      what happened
 * @param x         the first value
 * @param y         the second value
 */
record TimedEvent(long timeNanos, int code, float x, float y) {

    void passTo(InputSink sink) {
        sink.take(timeNanos, code, x, y);
    }
}
