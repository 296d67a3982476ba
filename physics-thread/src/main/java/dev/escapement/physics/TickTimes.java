package dev.escapement.physics;

/** The instants of a tick, by the clock. Physics thread only; reused from tick to tick. */
final class TickTimes {

    long tick;
    long dueNanos;
    long startedNanos;

    /** After the commands and the simulation's step. */
    long steppedNanos;

    /** When all poses were written: the snapshot is handed over next. */
    long publishedNanos;

    /** How long that was after the next tick was due, negative if before. */
    long overrunNanos;
}
