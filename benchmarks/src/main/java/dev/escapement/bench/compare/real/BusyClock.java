package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.scene.WorkClock;

/** The JVM's clock, and work that keeps a core busy. Any thread. */
final class BusyClock implements WorkClock {

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void spend(long nanos) {
        long startedNanos = System.nanoTime();
        while (System.nanoTime() - startedNanos < nanos) {
            Thread.onSpinWait();
        }
    }
}
