package dev.escapement.state.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Base of classes that one thread at a time may use, and that refuse any other thread. The first thread that uses the object owns it, until
 * it releases ownership or dies.
 *
 * <pre>{@code
 * final class Counter extends ThreadConfined {
 *     protected String what() {
 *         return "counter";
 *     }
 *
 *     void increment() {
 *         own();
 *         count++;
 *     }
 * }
 * }</pre>
 *
 * <p>The owner's own check is one plain load: a thread that reads itself as the owner has written that itself, and no other thread may
 * replace it while it lives.
 *
 * <p>Any thread may call any method. All are lock-free, and allocate nothing unless they refuse.
 */
public abstract class ThreadConfined {

    /** The owner of a retired object. Not a thread, because a static thread would keep its class loader from being collected. */
    private static final Object RETIRED = new Object();

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ThreadConfined.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread; {@link #RETIRED} if retired; null if the next thread becomes the owner. */
    private @Nullable Object owner;

    /** Creates an object without an owner. */
    protected ThreadConfined() {}

    /** {@return the name of this kind of object for messages, for example "snapshot reader"} */
    protected abstract String what();

    /**
     * {@return the exception for a thread that may not use this}
     *
     * @param caller the thread
     * @param other  the owner, which is alive
     */
    protected IllegalStateException refusal(Thread caller, Thread other) {
        return new IllegalStateException(
                "a " + what() + " belongs to one thread: thread '" + caller.getName() + "' used one that belongs to '"
                        + other.getName() + "', which has not handed it over; each thread needs one of its own");
    }

    /** {@return whether the caller is the owner; false also where there is none} */
    protected final boolean isOwner() {
        return owner == Thread.currentThread();
    }

    /** {@return the owner, null if there is none, or it has died} */
    protected final @Nullable Thread owner() {
        // Acquire, as in replaceOwner: if there is no owner, the caller sees what the last one did.
        return OWNER.getAcquire(this) instanceof Thread thread && thread.isAlive() ? thread : null;
    }

    /**
     * Makes the caller the owner if there is none; does nothing if it is the owner.
     *
     * @throws IllegalStateException if another thread that is alive is the owner, or this was retired
     */
    protected final void own() {
        Thread caller = Thread.currentThread();
        if (owner != caller && !replaceOwner(caller, caller)) {
            throw new IllegalStateException("this " + what() + " was detached; attach a new one");
        }
    }

    /**
     * Makes the caller the owner in place of another thread that is alive and was told to use this no more. The caller has made sure that what
     * that thread did happens before.
     */
    protected final void ownInsteadOfOwner() {
        OWNER.setRelease(this, Thread.currentThread()); // pairs with the acquire in replaceOwner and owner
    }

    /**
     * Releases ownership: the next thread that uses this becomes the owner, and sees what this one did.
     *
     * @throws IllegalStateException if another thread that is alive is the owner, or this was retired
     */
    protected final void disown() {
        own();
        OWNER.setRelease(this, null); // pairs with the acquire in replaceOwner and owner
    }

    /**
     * Retires this: no thread can become the owner again.
     *
     * @return false if it was retired before: if several threads try, one gets true
     * @throws IllegalStateException if another thread that is alive is the owner
     */
    protected final boolean retire() {
        return replaceOwner(Thread.currentThread(), RETIRED);
    }

    /**
     * Retires this if the owner has died without releasing ownership.
     *
     * @return false if it has not, or another thread was first
     */
    protected final boolean retireIfOwnerDead() {
        Object before = OWNER.getAcquire(this); // acquire, as in replaceOwner
        return before instanceof Thread thread && !thread.isAlive() && OWNER.compareAndSet(this, before, RETIRED);
    }

    /** Replaces the owner; false if this is retired. Lock-free: it repeats only if another thread has changed the owner meanwhile. */
    private boolean replaceOwner(Thread caller, Object next) {
        while (true) {
            // Acquire: pairs with the release in disown. If isAlive() is false, the caller sees what the dead thread
            // did.
            Object before = OWNER.getAcquire(this);
            if (before == RETIRED) {
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
