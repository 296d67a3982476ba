package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Notices when a thing made for one thread is used by two. The owner's own check is one plain load: a thread that reads
 * itself here wrote it itself, and nobody else may replace it.
 */
abstract class ThreadOwned {

    /** Owns what nobody may use any more. */
    private static final Thread NOBODY = new Thread(null, null, "nobody", 0, false);

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ThreadOwned.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Thread owner;

    /** What this is, for messages. */
    abstract String what();

    /** Passes for the owner; makes the caller the owner where there is none. */
    final void checkOwner() {
        Thread caller = Thread.currentThread();
        if (owner != caller) {
            claim(caller);
        }
    }

    /** Lets the next thread become the owner. Release: what this owner did is seen by the next one's claim. */
    final void disown() {
        checkOwner();
        OWNER.setRelease(this, null);
    }

    /** Lets nobody become the owner again. Plain: only the owner's own later calls must see it at once. */
    final void retire() {
        checkOwner();
        owner = NOBODY;
    }

    final boolean isRetired() {
        return owner == NOBODY;
    }

    private void claim(Thread caller) {
        // Acquire: pairs with the release in disown.
        Thread other = (Thread) OWNER.compareAndExchangeAcquire(this, null, caller);
        if (other == NOBODY) {
            throw new IllegalStateException("this " + what() + " was detached; attach a new one");
        }
        if (other != null) {
            throw new IllegalStateException("a " + what() + " belongs to one thread: thread '" + caller.getName()
                    + "' used one that belongs to '" + other.getName() + "', which has not handed it over");
        }
    }
}
