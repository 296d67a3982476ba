package dev.escapement.physics;

import dev.escapement.state.time.Waiting;

/** Never sleeps, so that a clock that is moved by hand is seen to have moved. */
class SpinningWaiting implements Waiting {

    @Override
    public void park(long nanos) {
        Thread.onSpinWait();
    }

    @Override
    public void spin() {
        Thread.onSpinWait();
    }
}
