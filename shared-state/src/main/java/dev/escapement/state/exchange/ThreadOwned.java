package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Notices when a thing made for one thread is used by two. The owner's own check is one plain load: a thread that reads
 * itself here wrote it itself, and while it lives no other may replace it. A thread that has died owns nothing.
 */
abstract class ThreadOwned {

    /** Owns what no thread may use any more. Not a thread: that would keep the class loader of the thread that made it. */
    private static final Object NOBODY = new Object();

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ThreadOwned.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread, {@link #NOBODY}, or null where the next thread becomes the owner. */
    private @Nullable Object owner;

    /** What this is, for messages. */
    abstract String what();

    /** Passes for the owner; makes the caller the owner where there is none. */
    final void checkOwner() {
        Thread caller = Thread.currentThread();
        if (owner != caller && !replaceOwner(caller, caller)) {
            throw new IllegalStateException("this " + what() + " was detached; attach a new one");
        }
    }

    /** Lets the next thread become the owner. Release: what this owner did is seen by the next one's acquire. */
    final void disown() {
        checkOwner();
        OWNER.setRelease(this, null);
    }

    /** Lets no thread become the owner again. False if that was so before: of several threads that try, one gets true. */
    final boolean retire() {
        return replaceOwner(Thread.currentThread(), NOBODY);
    }

    /** Any thread: retires this if the owner has died without handing it over. False if it has not, or another thread was first. */
    final boolean retireIfOwnerDead() {
        Object before = OWNER.getAcquire(this); // acquire, as in replaceOwner
        return before instanceof Thread thread && !thread.isAlive() && OWNER.compareAndSet(this, before, NOBODY);
    }

    /** False if retired. Lock-free: it repeats only when another thread has changed the owner in between. */
    private boolean replaceOwner(Thread caller, Object next) {
        while (true) {
            // Acquire: pairs with the release in disown. What a dead owner did is seen by who finds that it is not
            // alive.
            Object before = OWNER.getAcquire(this);
            if (before == NOBODY) {
                return false;
            }
            if (before instanceof Thread other && other != caller && other.isAlive()) {
                throw new IllegalStateException("a " + what() + " belongs to one thread: thread '" + caller.getName()
                        + "' used one that belongs to '" + other.getName() + "', which has not handed it over");
            }
            if (OWNER.compareAndSet(this, before, next)) {
                return true;
            }
        }
    }
}
