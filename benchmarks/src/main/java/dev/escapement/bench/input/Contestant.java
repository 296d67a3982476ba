package dev.escapement.bench.input;

/** The ways to bring input to the thread that ticks, by name. */
public enum Contestant {
    ESCAPEMENT,
    JCTOOLS,
    LINKED_QUEUE;

    /**
     * Makes a new queue.
     *
     * @param capacity how many events wait at most, a power of two
     * @param sink     takes what is drained
     */
    public InputQueue create(int capacity, InputSink sink) {
        return switch (this) {
            case ESCAPEMENT -> new EscapementInput(capacity, sink);
            case JCTOOLS -> new JctoolsInput(capacity, sink);
            case LINKED_QUEUE -> new LinkedQueueInput(capacity, sink);
        };
    }
}
