package dev.escapement.physics;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows from outside whether the physics thread is within the user's code, and takes from one that never comes out of it the
 * right to go on: what it does later reaches no snapshot, log, event or answer. Of a device that was being polled one more input may
 * arrive ({@link dev.escapement.state.input.TrackedSource}).
 *
 * <pre>
 *   even: the service's own code, bounded     odd: the user's code     -1: abandoned in the user's code
 * </pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread calls {@link #begin()} and {@link #end()}, in turns.</li>
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code HeartbeatTest}
 * <ol>
 *   <li>Of {@link #end()} and {@link #abandon} exactly one succeeds for a beat. ({@code shouldEitherEndOrBeAbandoned})</li>
 *   <li>Who abandons sees everything the thread did before that {@link #begin()}, and the thread touches nothing of it any
 *       more.</li>
 * </ol>
 * <b>Progress</b>: wait-free for everybody, one compare-and-set.
 */
final class Heartbeat {

    private static final long ABANDONED = -1;

    // begin() releases what came before to beat() and abandon(), which acquire it. end() and abandon() compare and set,
    // so that one of them succeeds. The physics thread reads what it wrote itself: nobody else writes, but for the
    // abandonment, which end() finds.
    private final AtomicLong beats = new AtomicLong();

    /** Physics thread: the user's code follows, or still goes on. */
    void begin() {
        long beat = beats.getPlain();
        if (beat != ABANDONED && !isInUserCode(beat)) {
            beats.setRelease(beat + 1); // nobody else writes over an even beat
        }
    }

    /** Physics thread: the user's code is over. False if it took so long that the thread was abandoned. */
    boolean end() {
        long beat = beats.getPlain();
        return beat != ABANDONED && beats.compareAndSet(beat, beat + 1);
    }

    /** Physics thread, when something has thrown, in the user's code or not: it is over. False if the thread was abandoned in it. */
    boolean endIfBegun() {
        return isInUserCode(beats.getPlain()) ? end() : !isAbandoned();
    }

    /** Any thread: changes whenever the user's code begins or ends. */
    long beat() {
        return beats.getAcquire();
    }

    static boolean isInUserCode(long beat) {
        return beat >= 0 && (beat & 1) != 0;
    }

    /** Any thread. */
    boolean isAbandoned() {
        return beats.getAcquire() == ABANDONED;
    }

    /** Any thread: takes away the right to go on. False if the user's code has ended since that beat was read. */
    boolean abandon(long beat) {
        return isInUserCode(beat) && beats.compareAndSet(beat, ABANDONED);
    }
}
