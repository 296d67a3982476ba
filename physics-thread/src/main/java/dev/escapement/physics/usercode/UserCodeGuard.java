package dev.escapement.physics.usercode;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Guards the calls of user code on the physics thread.
 *
 * <p>Other threads see whether the physics thread is within such a call, and can abandon it if the call does not return. Nothing that an
 * abandoned thread does later reaches a snapshot, log, event or answer. Each call is guarded on its own, or all waiting commands as one, so
 * that many quick calls do not count as a hang. A thread that was abandoned in one call makes no other call, except to close what only that
 * thread may close.
 *
 * <pre>{@code
 * guard.call(simulation::begin);  // a call that is rare
 *
 * guard.enter();                  // a call in each tick: this allocates no lambda, and the JIT sees one class at the call site
 * simulation.step(tick);
 * guard.exit();
 * }</pre>
 *
 * <p>If user code throws, the thread counts as within user code until {@link #exitAfterThrow()}. There, the code that catches the exception
 * finds out whether the thread was abandoned before.
 *
 * <p>One 64-bit number counts the crossings between the service's own code and user code:
 *
 * <pre>
 *   crossings  the physics thread is           changed by
 *   even       in own code, which is bounded   enter(): + 1
 *   odd        in user code                    exit(), tryExit(), exitAfterThrow(): + 1; abandon(): to -1
 *   -1         abandoned in user code          nothing
 * </pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread at a time enters and exits. It calls {@link #exit()}, {@link #tryExit()} and {@link #next()} only in user code: in
 *       own code they would count as an enter. {@link #exitAfterThrow()} alone may be called in both. A host that moves a world to
 *       another thread orders all that the old thread did before all that the new one does.</li>
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code UserCodeGuardTest}
 * <ol>
 *   <li>For each call of user code at most one of {@link #tryExit()} and {@link #abandon} succeeds.
 *       ({@code shouldEitherExitOrBeAbandoned})</li>
 *   <li>The abandoning thread sees everything that the physics thread did before the {@link #enter()} of the call in which it was
 *       abandoned. The physics thread changes nothing of that afterwards.</li>
 * </ol>
 * <b>Progress</b>: wait-free for all threads, one compare-and-set.
 */
public final class UserCodeGuard {

    private static final long ABANDONED = -1;

    // The release of enter() pairs with the acquire of crossings() and the compare-and-set of abandon(); without it the
    // abandoning thread could miss writes of before the call, for example of thread. tryExit() and abandon() use
    // compare-and-set, so that one of them succeeds; else both could end the run. The physics thread reads its own
    // writes plainly: another thread writes only the abandonment, which the compare-and-set of tryExit() finds.
    private final AtomicLong crossings = new AtomicLong();

    /**
     * The thread that entered last. Plain: a thread that reads a reference to itself has written it. Before {@link #thread()}, other
     * threads read {@link #crossings()}.
     */
    private @Nullable Thread thread;

    /** Creates a guard; the thread starts in the service's own code. */
    public UserCodeGuard() {}

    /**
     * A call of user code.
     *
     * @param <E> what it throws
     */
    @FunctionalInterface
    public interface Call<E extends Exception> {

        /**
         * Calls user code.
         *
         * @throws E what the user code throws
         */
        void run() throws E;
    }

    /**
     * Makes one call of user code. Physics thread, between two calls.
     *
     * @param call the call
     * @param <E>  what it throws
     * @throws E                     what the call throws
     * @throws IllegalStateException as {@link #exit()}
     */
    public <E extends Exception> void call(Call<E> call) throws E {
        enter();
        call.run();
        exit();
    }

    /**
     * Ends one call of user code and begins the next, where several are made in a row. Physics thread, within user code.
     *
     * @throws IllegalStateException as {@link #exit()}
     */
    public void next() {
        exit();
        enter();
    }

    /** Physics thread: enters user code; does nothing if it is there already, or was abandoned. */
    public void enter() {
        long before = crossings.getPlain();
        if (before != ABANDONED && !isInUserCode(before)) {
            Thread caller = Thread.currentThread();
            if (thread != caller) { // rarely true; each store of a reference costs a garbage collector barrier
                thread = caller;
            }
            crossings.setRelease(before + 1); // no compare-and-set: no other thread changes an even number
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

    /** {@return false if the thread was abandoned} Physics thread, after any exception: leaves user code, unless own code threw. */
    public boolean exitAfterThrow() {
        return isInUserCode(crossings.getPlain()) ? tryExit() : !isAbandoned();
    }

    /** {@return whether the caller is the physics thread, in user code and not abandoned} Any thread. */
    public boolean isCaller() {
        return thread == Thread.currentThread() && isInUserCode(crossings());
    }

    /**
     * {@return the thread that has entered user code last} For any thread that has seen an entry in {@link #crossings()}, which makes the
     * reference visible.
     */
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
     * @return false if the physics thread has left that call since
     */
    public boolean abandon(long seen) {
        return isInUserCode(seen) && crossings.compareAndSet(seen, ABANDONED);
    }
}
