package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Notices when a thing made for one thread is used by two. The owner's own check is one plain load: a thread that reads
 * itself here wrote it itself, and nobody else may replace it.
 */
final class OwnerThread {

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(OwnerThread.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String what;
    private @Nullable Thread owner;

    OwnerThread(String what) {
        this.what = what;
    }

    /** Passes for the owner; makes the caller the owner where there is none. */
    void check() {
        Thread caller = Thread.currentThread();
        if (owner != caller) {
            claim(caller);
        }
    }

    /** Lets the next caller of {@link #check} become the owner. Release: what the owner did is seen by the next one. */
    void handOver() {
        check();
        OWNER.setRelease(this, null);
    }

    private void claim(Thread caller) {
        // Acquire: pairs with the release in handOver.
        Thread other = (Thread) OWNER.compareAndExchangeAcquire(this, null, caller);
        if (other != null) {
            throw new IllegalStateException("a " + what + " belongs to one thread: thread '" + caller.getName()
                    + "' used one that belongs to '" + other.getName() + "'; call handOver() there first");
        }
    }
}
