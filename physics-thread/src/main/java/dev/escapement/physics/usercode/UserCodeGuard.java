package dev.escapement.physics.usercode;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Guards the calls of user code on the physics thread: other threads can see whether it is within such a call, and can abandon it if it
 * does not return. What an abandoned thread does later reaches no snapshot, log, event or answer. Each call is guarded on its own: then many
 * quick ones are no hang, and a thread that was abandoned in one makes no other.
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
 *   <li>One thread calls {@link #enter()}, {@link #exit()} and {@link #tryExit()}, and
 *       the latter two only in user code: elsewhere they would count as an enter.</li>
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code UserCodeGuardTest}
 * <ol>
 *   <li>For each call of user code at most one of {@link #tryExit()} and {@link #abandon} succeeds.
 *       ({@code shouldEitherExitOrBeAbandoned})</li>
 *   <li>The abandoning thread sees everything that the physics thread did before that {@link #enter()}, and the physics thread changes none
 *       of it afterwards.</li>
 * </ol>
 * <b>Progress</b>: wait-free for all threads, one compare-and-set.
 */
public final class UserCodeGuard {

    private static final long ABANDONED = -1;

    // enter() releases what came before to crossings() and abandon(), which acquire it. tryExit() and abandon() use
    // compare-and-set, so that one of them succeeds. The physics thread reads its own writes plainly: the only write of
    // another thread is the abandonment, which the compare-and-set of tryExit() finds.
    private final AtomicLong crossings = new AtomicLong();

    /** The thread that entered last. Plain: a thread that reads itself here has written that itself. */
    private @Nullable Thread thread;

    /** Creates a guard; the thread starts in the service's own code. */
    public UserCodeGuard() {}

    /** Physics thread: enters user code; does nothing if it is there already. */
    public void enter() {
        long before = crossings.getPlain();
        if (before != ABANDONED && !isInUserCode(before)) {
            Thread caller = Thread.currentThread();
            if (thread != caller) { // nearly never: storing a reference costs a garbage collector barrier
                thread = caller;
            }
            crossings.setRelease(before + 1); // no other thread changes an even number
        }
    }

    /**
     * Physics thread: leaves user code.
     *
     * @throws IllegalStateException if the thread was abandoned meanwhile: it must not call user code, because the service has ended
     */
    public void exit() {
        if (!tryExit()) {
            throw new IllegalStateException(
                    "the physics thread came back after it had been abandoned; what it did since is ignored");
        }
    }

    /** {@return false if the thread was abandoned meanwhile} Physics thread: leaves user code. */
    public boolean tryExit() {
        long before = crossings.getPlain();
        return before != ABANDONED && crossings.compareAndSet(before, before + 1);
    }

    /** {@return false if the thread was abandoned} Physics thread, after any exception: leaves user code if it is in it. */
    public boolean exitIfEntered() {
        return isInUserCode(crossings.getPlain()) ? tryExit() : !isAbandoned();
    }

    /** {@return whether the caller is the physics thread, in user code and not abandoned} Any thread. */
    public boolean isCaller() {
        return thread == Thread.currentThread() && isInUserCode(crossings());
    }

    /** {@return the thread that has entered user code last} Any thread that has seen an entry by {@link #crossings()}, which releases it. */
    public @Nullable Thread thread() {
        return thread;
    }

    /** {@return the number of crossings, which changes whenever user code is entered or left} Any thread. */
    public long crossings() {
        return crossings.getAcquire();
    }

    /**
     * {@return whether the physics thread was in user code, and not abandoned, at a number of crossings}
     *
     * @param crossings what {@link #crossings()} returned
     */
    public static boolean isInUserCode(long crossings) {
        return crossings >= 0 && (crossings & 1) != 0;
    }

    /** {@return whether the physics thread was abandoned} Any thread. */
    public boolean isAbandoned() {
        return crossings.getAcquire() == ABANDONED;
    }

    /**
     * Abandons the physics thread. Any thread.
     *
     * @param seen the {@link #crossings()} at which the caller saw it in user code
     * @return false if it has left that call since
     */
    public boolean abandon(long seen) {
        return isInUserCode(seen) && crossings.compareAndSet(seen, ABANDONED);
    }

    /**
     * Finds a physics thread that stays or hangs in user code. The caller lets it look at the guard at regular times.
     *
     * <p>It counts looks and not time, because time also passes while the process is suspended and nothing hangs.
     *
     * <p>One thread.
     */
    public static final class Watchdog {

        /** A call of user code counts as hanging after this many looks in a row. */
        public static final int LOOKS = 8;

        /** What {@link #hanging()} returns if nothing hangs. */
        public static final long NOTHING = 0;

        private final UserCodeGuard guard;
        private long seen;
        private int alike;

        /**
         * Creates a watchdog that has not looked.
         *
         * @param guard the guard to look at
         */
        public Watchdog(UserCodeGuard guard) {
            this.guard = guard;
        }

        /** {@return how many looks in a row before this one found the call of user code that this one finds; 0 if it finds none} */
        public int look() {
            long before = seen;
            seen = guard.crossings();
            alike = seen == before && isInUserCode(seen) ? alike + 1 : 0;
            return alike;
        }

        /** {@return the crossings that the last look found} */
        public long seen() {
            return seen;
        }

        /** {@return the crossings of a call that hangs, found by another look, for {@link UserCodeGuard#abandon}; or {@link #NOTHING}} */
        public long hanging() {
            return look() >= LOOKS ? seen : NOTHING;
        }
    }
}
