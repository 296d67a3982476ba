package dev.escapement.state.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Base of classes that refuse any thread but their owner. The first thread that uses the object owns it, until that thread releases
 * ownership or dies.
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
 * <p>The owner's check is one plain load. A thread that reads itself as the owner has stored itself there, and no other thread replaces a
 * living owner.
 *
 * <p>Any thread may call any method. All are lock-free, and allocate only the exception of a refusal.
 */
public abstract class ThreadConfined {

    /** The owner of a retired object. Not a thread, because a static thread would keep its class loader alive. */
    private static final Object RETIRED = new Object();

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ThreadConfined.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The owner, a thread; or {@link #RETIRED}; or null, so that the next thread that uses this object becomes the owner. */
    private @Nullable Object owner;

    /** Creates an object without an owner. */
    protected ThreadConfined() {}

    /** {@return the name of this kind of object for messages, for example "snapshot reader"} */
    protected abstract String what();

    /**
     * {@return the exception for a thread that is not the owner}
     *
     * @param caller the refused thread
     * @param other  the owner, which is alive
     */
    protected IllegalStateException refusal(Thread caller, Thread other) {
        return new IllegalStateException(
                "a " + what() + " belongs to one thread: thread '" + caller.getName() + "' used one that belongs to '"
                        + other.getName() + "', which has not handed it over; each thread needs one of its own");
    }

    /** {@return whether the caller is the owner} */
    protected final boolean isOwner() {
        return owner == Thread.currentThread();
    }

    /** {@return the owner, null if there is none, or it has died} */
    protected final @Nullable Thread owner() {
        // Acquire, pairs with the releases in disown and ownInsteadOfOwner: a caller that finds no owner sees all that
        // the last owner did.
        return OWNER.getAcquire(this) instanceof Thread thread && thread.isAlive() ? thread : null;
    }

    /**
     * Makes the caller the owner if there is none; does nothing if it is the owner.
     *
     * @throws IllegalStateException if another living thread is the owner, or this object was retired
     */
    protected final void own() {
        Thread caller = Thread.currentThread();
        if (owner != caller && !replaceOwner(caller, caller)) {
            throw new IllegalStateException("this " + what() + " was detached; attach a new one");
        }
    }

    /**
     * Makes the caller the owner in place of another living thread, which uses this object no more. All accesses of that thread must happen
     * before this call.
     */
    protected final void ownInsteadOfOwner() {
        // Release, pairs with the acquires in replaceOwner and owner: after this owner's death the next one sees
        // its writes.
        OWNER.setRelease(this, Thread.currentThread());
    }

    /**
     * Releases ownership: the next thread that uses this object becomes the owner, and sees all that this one did.
     *
     * @throws IllegalStateException if another living thread is the owner, or this object was retired
     */
    protected final void disown() {
        own();
        // Release, pairs with the acquires in replaceOwner and owner: else the next owner could read stale fields.
        OWNER.setRelease(this, null);
    }

    /**
     * Retires this object: no thread can become its owner again.
     *
     * @return false if it was retired before; if several threads try, only one of them gets true
     * @throws IllegalStateException if another living thread is the owner
     */
    protected final boolean retire() {
        return replaceOwner(Thread.currentThread(), RETIRED);
    }

    /**
     * Retires this object if the owner has died without releasing ownership.
     *
     * @return false if the owner lives, there is none, or another thread has retired this object before
     */
    protected final boolean retireIfOwnerDead() {
        // acquire, as in replaceOwner. A dead owner released nothing, but what it did happens before isAlive() is
        // false.
        Object before = OWNER.getAcquire(this);
        // The compare-and-set lets only one of several threads retire a dead owner's object: else two threads could
        // both detach a reader.
        return before instanceof Thread thread && !thread.isAlive() && OWNER.compareAndSet(this, before, RETIRED);
    }

    /**
     * Replaces the owner. Returns false if this object was retired. Lock-free: repeats only if another thread has changed the owner
     * meanwhile.
     */
    private boolean replaceOwner(Thread caller, Object next) {
        while (true) {
            // Acquire, pairs with the releases in disown and ownInsteadOfOwner: the caller sees all that the last owner
            // did. A dead thread has released nothing; its end happens before isAlive() returns false.
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
