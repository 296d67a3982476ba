package dev.escapement.state.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something that one thread at a time may use, and that notices when another one does. The first thread that uses it owns it, until it
 * gives it up or dies: a dead thread owns nothing.
 *
 * <pre>{@code
 * final class Counter extends ThreadConfined {
 *     protected String what() {
 *         return "counter";
 *     }
 *
 *     void increment() {
 *         checkOwner();
 *         count++;
 *     }
 * }
 * }</pre>
 *
 * <p>The owner's own check is one plain load: a thread that reads itself wrote itself, and while it lives no other may replace it.
 *
 * <p>Any thread may call any method. All are lock-free, and allocate nothing unless they refuse.
 */
public abstract class ThreadConfined {

    /** Owns what no thread may use any more. Not a thread: that would keep the class loader of the thread that made it. */
    private static final Object NOBODY = new Object();

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ThreadConfined.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread, {@link #NOBODY}, or null where the next thread becomes the owner. */
    private @Nullable Object owner;

    /** Creates something without an owner. */
    protected ThreadConfined() {}

    /**
     * What this is, for messages.
     *
     * @return "snapshot reader", say
     */
    protected abstract String what();

    /**
     * Says why a thread cannot use this.
     *
     * @param caller the thread
     * @param other  the owner, which is alive
     * @return the exception to throw
     */
    protected IllegalStateException refusal(Thread caller, Thread other) {
        return new IllegalStateException("a " + what() + " belongs to one thread: thread '" + caller.getName()
                + "' used one that belongs to '" + other.getName() + "', which has not handed it over");
    }

    /**
     * Whether the caller is the owner.
     *
     * @return false also where there is none
     */
    protected final boolean isOwner() {
        return owner == Thread.currentThread();
    }

    /**
     * The owner.
     *
     * @return null if there is none, or it has died
     */
    protected final @Nullable Thread owner() {
        // Acquire, as in replaceOwner: the caller of a thing without an owner sees what the last one did.
        return OWNER.getAcquire(this) instanceof Thread thread && thread.isAlive() ? thread : null;
    }

    /**
     * Passes for the owner; makes the caller the owner where there is none.
     *
     * @throws IllegalStateException if another thread that is alive is the owner, or this was retired
     */
    protected final void checkOwner() {
        Thread caller = Thread.currentThread();
        if (owner != caller && !replaceOwner(caller, caller)) {
            throw new IllegalStateException("this " + what() + " was detached; attach a new one");
        }
    }

    /**
     * Lets the next thread become the owner. It sees what this one did.
     *
     * @throws IllegalStateException if another thread that is alive is the owner, or this was retired
     */
    protected final void disown() {
        checkOwner();
        OWNER.setRelease(this, null); // pairs with the acquire in replaceOwner and owner
    }

    /**
     * Lets no thread become the owner again.
     *
     * @return false if that was so before: of several threads that try, one gets true
     * @throws IllegalStateException if another thread that is alive is the owner
     */
    protected final boolean retire() {
        return replaceOwner(Thread.currentThread(), NOBODY);
    }

    /**
     * Retires this if the owner has died without giving it up.
     *
     * @return false if it has not, or another thread was first
     */
    protected final boolean retireIfOwnerDead() {
        Object before = OWNER.getAcquire(this); // acquire, as in replaceOwner
        return before instanceof Thread thread && !thread.isAlive() && OWNER.compareAndSet(this, before, NOBODY);
    }

    /** False if retired. Lock-free: it repeats only when another thread has changed the owner in between. */
    private boolean replaceOwner(Thread caller, Object next) {
        while (true) {
            // Acquire: pairs with the release in disown. A thread that finds the owner dead, by isAlive(), sees what it
            // did.
            Object before = OWNER.getAcquire(this);
            if (before == NOBODY) {
                return false;
            }
            if (before instanceof Thread other && other != caller && other.isAlive()) {
                throw refusal(caller, other);
            }
            if (OWNER.compareAndSet(this, before, next)) {
                return true;
            }
        }
    }
}
