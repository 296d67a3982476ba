package dev.escapement.physics.guard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Guards the calls of user code on the physics thread: shows other threads whether the physics thread is within one, and lets them abandon a
 * thread that does not return from it. What an abandoned thread does later reaches no snapshot, log, event or answer. From a device
 * that it was polling, one more input may arrive ({@link dev.escapement.state.input.TrackedSource}).
 *
 * <pre>{@code
 * guard.enter();
 * simulation.step(tick);
 * guard.exit();
 * }</pre>
 *
 * <p>It counts crossings between the service's own code and user code:
 * <pre>
 *   even: in the service's own code, which is bounded     odd: in user code     -1: abandoned in user code
 * </pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread calls {@link #enter()}, {@link #exit()} and {@link #tryExit()}, in turns.</li>
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code UserCodeGuardTest}
 * <ol>
 *   <li>Of {@link #tryExit()} and {@link #abandon} exactly one succeeds for a call of user code. ({@code shouldEitherExitOrBeAbandoned})</li>
 *   <li>The thread that abandons sees everything that the physics thread did before that {@link #enter()}, and the physics thread touches
 *       nothing of it any more.</li>
 * </ol>
 * <b>Progress</b>: wait-free for all threads, one compare-and-set.
 */
public final class UserCodeGuard {

    private static final long ABANDONED = -1;

    // enter() releases what came before to crossings() and abandon(), which acquire it. tryExit() and abandon() compare
    // and
    // set, so that one of them succeeds. The physics thread reads plainly what it wrote itself: the only other write is
    // the abandonment, which tryExit() finds.
    private final AtomicLong crossings = new AtomicLong();

    /** Creates a guard of a thread that is in the service's own code. */
    public UserCodeGuard() {}

    /** Physics thread: a call of user code follows, or goes on. */
    public void enter() {
        long before = crossings.getPlain();
        if (before != ABANDONED && !isInUserCode(before)) {
            crossings.setRelease(before + 1); // no other thread writes over an even number
        }
    }

    /**
     * Physics thread: the call of user code has returned.
     *
     * @throws IllegalStateException if the thread was abandoned meanwhile: it must call no other user code, because another thread may
     *                               tick by now
     */
    public void exit() {
        if (!tryExit()) {
            throw new IllegalStateException(
                    "the physics thread came back after it had been abandoned; what it did since is ignored");
        }
    }

    /**
     * Physics thread: the call of user code has returned.
     *
     * @return false if the thread was abandoned meanwhile
     */
    public boolean tryExit() {
        long before = crossings.getPlain();
        return before != ABANDONED && crossings.compareAndSet(before, before + 1);
    }

    /**
     * Physics thread, when something was thrown, in user code or not: any call of user code has ended.
     *
     * @return false if the thread was abandoned in it
     */
    public boolean exitIfEntered() {
        return isInUserCode(crossings.getPlain()) ? tryExit() : !isAbandoned();
    }

    /**
     * Any thread.
     *
     * @return a number that changes whenever user code is entered or left
     */
    public long crossings() {
        return crossings.getAcquire();
    }

    /**
     * Says where the physics thread was at a number of crossings.
     *
     * @param crossings what {@link #crossings()} returned
     * @return whether it was within a call of user code, and not abandoned
     */
    public static boolean isInUserCode(long crossings) {
        return crossings >= 0 && (crossings & 1) != 0;
    }

    /**
     * Any thread.
     *
     * @return whether the physics thread was abandoned
     */
    public boolean isAbandoned() {
        return crossings.getAcquire() == ABANDONED;
    }

    /**
     * Abandons the physics thread. Any thread.
     *
     * @param seen the {@link #crossings()} at which it was found in user code
     * @return false if it has left that call of user code since
     */
    public boolean abandon(long seen) {
        return isInUserCode(seen) && crossings.compareAndSet(seen, ABANDONED);
    }

    /**
     * Finds a physics thread that hangs in user code, by looking at its guard every eighth of the time allowed.
     *
     * <p>It counts looks and not time: while a process is suspended, time passes without looks, and nothing hangs.
     *
     * <p>One thread.
     */
    public static final class Watchdog {

        /** How many looks in a row must find the same call of user code. */
        public static final int LOOKS = 8;

        /** What {@link #look()} returns where nothing hangs. */
        public static final long NOTHING = 0;

        private final UserCodeGuard guard;
        private long lastSeen;
        private int alike;

        /**
         * Creates a watchdog that has not looked.
         *
         * @param guard the guard to look at
         */
        public Watchdog(UserCodeGuard guard) {
            this.guard = guard;
        }

        /**
         * Looks once.
         *
         * @return the crossings at which a call of user code began that was seen at all looks, or {@link #NOTHING}
         */
        public long look() {
            long seen = guard.crossings();
            if (seen != lastSeen || !isInUserCode(seen)) {
                lastSeen = seen;
                alike = 0;
                return NOTHING;
            }
            alike++;
            return alike >= LOOKS ? seen : NOTHING;
        }
    }
}
