package dev.escapement.state.time;

/**
 * Decides whether the last of a wait may be spun. Where other threads want the core, a scheduler may take it from one that spins, and
 * gives it back after a slice of milliseconds; a thread that was parked until the deadline gets it at once. So after two such
 * losses among {@value #CALM_SPINS} spins, the next {@value #FIRST_WAITS} waits only park; after each further loss twice as many, up to
 * {@value #MOST_WAITS}, so that fewer than one wait in a hundred is late because it tried.
 *
 * <p>One thread.
 */
final class SpinBackoff {

    /** A spin that ends so long after the deadline has lost its core. */
    static final long LOST_NANOS = 100_000;

    static final int CALM_SPINS = 100;
    static final int FIRST_WAITS = 256;
    static final int MOST_WAITS = 1024;

    private int spinsSinceLoss = CALM_SPINS;
    private int nextWaits = FIRST_WAITS;
    private int waitsToPark;

    /** Once at the start of each wait. */
    boolean maySpin() {
        if (waitsToPark > 0) {
            waitsToPark--;
            return false;
        }
        return true;
    }

    /** After a wait whose last was spun. */
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
            nextWaits = Math.min(MOST_WAITS, 2 * nextWaits);
        }
        spinsSinceLoss = 0;
    }
}
