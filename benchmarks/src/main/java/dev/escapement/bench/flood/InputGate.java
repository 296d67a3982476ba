package dev.escapement.bench.flood;

/** Where one producer offers. */
@FunctionalInterface
interface InputGate {

    /** Offers an application event, and tells whether it was accepted. Allocates nothing. */
    boolean offer(long timeNanos, int code, float x, float y);
}
