package dev.escapement.physics;

import dev.escapement.state.time.Waiter;

/** A waiter that never sleeps, so that it notices when a test moves a manual clock. */
public class SpinningWaiter implements Waiter {

    @Override
    public void park(long nanos) {
        Thread.onSpinWait();
    }

    @Override
    public void spin() {
        Thread.onSpinWait();
    }
}
