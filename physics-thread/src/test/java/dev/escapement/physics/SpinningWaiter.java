package dev.escapement.physics;

import dev.escapement.state.time.Waiter;

/** Never sleeps, so that a clock that is moved by hand is seen to have moved. */
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
