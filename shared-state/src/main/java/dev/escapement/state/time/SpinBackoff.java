package dev.escapement.state.time;

/**
 * Decides whether a wait may spin. A scheduler may take a contended core from a spinning thread for a time slice of milliseconds. A parked
 * thread gets a core immediately when it wakes.
 *
 * <p>So after a thread has lost its core twice within {@value #CALM_SPINS} spins, its next {@value #FIRST_WAITS} waits only park; after
 * each further loss twice as many, up to {@value #MAX_WAITS}. Spinning then makes fewer than one wait in a hundred late.
 *
 * <p>One thread.
 */
final class SpinBackoff {

    /** A thread whose spin ends this long after the deadline has lost its core. */
    static final long LOST_NANOS = 100_000;

    static final int CALM_SPINS = 100;
    static final int FIRST_WAITS = 256;
    static final int MAX_WAITS = 1024;

    private int spinsSinceLoss = CALM_SPINS;
    private int nextWaits = FIRST_WAITS;
    private int waitsToPark;

    boolean beginWait() {
        if (waitsToPark > 0) {
            waitsToPark--;
            return false;
        }
        return true;
    }

    void spun(long lateNanos) {
        if (lateNanos < LOST_NANOS) {
            spinsSinceLoss++;
            if (spinsSinceLoss >= CALM_SPINS) {
                spinsSinceLoss = CALM_SPINS;
                nextWaits = FIRST_WAITS;
            }
            return;
        }
        if (spinsSinceLoss < CALM_SPINS) {
            waitsToPark = nextWaits;
            nextWaits = Math.min(MAX_WAITS, 2 * nextWaits);
        }
        spinsSinceLoss = 0;
    }
}
