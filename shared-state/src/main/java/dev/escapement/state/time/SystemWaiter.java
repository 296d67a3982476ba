package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;

/** Parks and spins the current thread. */
enum SystemWaiter implements Waiter {
    INSTANCE;

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    public void spin() {
        Thread.onSpinWait();
    }
}
