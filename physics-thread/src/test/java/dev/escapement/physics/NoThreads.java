package dev.escapement.physics;

/** A thread whose start fails for lack of memory. */
final class NoThreads extends Thread {

    NoThreads(Runnable never) {
        super(never);
    }

    @Override
    public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread: the test allows none");
    }
}
