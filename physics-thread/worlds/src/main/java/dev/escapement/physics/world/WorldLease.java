package dev.escapement.physics.world;

import dev.escapement.state.thread.ThreadConfined;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right to tick a world, which one simulation has at a time. Before the simulation's service starts and after it ends, any thread may
 * touch the world; in between only the physics thread may, while that thread lives.
 *
 * <p>Any thread may call any method.
 */
final class WorldLease extends ThreadConfined {

    /** All leases. Weak, so that a world is free again when its unclosed simulation was garbage-collected. Guarded by itself. */
    private static final List<WeakReference<WorldLease>> TAKEN = new ArrayList<>();

    private final Object world;
    private final @Nullable Object memory;

    // Volatile: a thread that steps the world reads here whether another thread steps it. The stepping thread itself
    // reads its own write.
    private volatile @Nullable Thread stepping;

    /**
     * Whether the simulation was closed. Plain: other threads read it after {@link #requireAccess()}, whose acquire pairs with the release
     * of {@link #close}.
     */
    private boolean closed;

    private WorldLease(Object world, @Nullable Object memory) {
        this.world = world;
        this.memory = memory;
    }

    /**
     * Reserves a world, and the memory that its steps use, if any. Throws an {@link IllegalStateException} if another simulation has one of
     * them.
     */
    static WorldLease take(Object world, @Nullable Object memory) {
        synchronized (TAKEN) {
            TAKEN.removeIf(taken -> taken.refersTo(null));
            if (isTaken(world)) {
                throw new IllegalStateException(
                        "another simulation ticks " + world
                                + " already, and two would step it twice; close that one first, or give its service more readers");
            }
            if (memory != null && isTaken(memory)) {
                throw new IllegalStateException(
                        "another simulation has " + memory
                                + ", and steps of two at once would write over each other's memory; make one for each simulation");
            }
            WorldLease lease = new WorldLease(world, memory);
            TAKEN.add(new WeakReference<>(lease));
            return lease;
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation was closed and has given back " + world + "; make another one around it");
        }
    }

    private static boolean isTaken(Object one) {
        for (WeakReference<WorldLease> taken : TAKEN) {
            WorldLease lease = taken.get();
            if (lease != null && (lease.world == one || lease.memory == one)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs a last action on the world, and releases it: then any thread may touch it, and another simulation can take it. Idempotent.
     * Throws an {@link IllegalStateException} if another thread may be within a step.
     */
    void close(Runnable last) {
        if (closed) {
            return;
        }
        requireTo("close its simulation; close the service, which does");
        closed = true;
        try {
            last.run();
        } finally {
            disown();
            synchronized (TAKEN) { // last, so that the next simulation finds the world without our listeners
                TAKEN.removeIf(taken -> taken.refersTo(this));
            }
        }
    }

    @Override
    protected String what() {
        return "world";
    }

    /** Explains the refusal. The other thread may hang in the world, abandoned by its service. */
    @Override
    protected IllegalStateException refusal(Thread caller, Thread other) {
        return new IllegalStateException(
                "thread '" + caller.getName() + "' cannot tick " + world
                        + ", for another thread ticks it, or hangs in it; give each service a simulation and a world of its own");
    }

    /** Makes the calling thread the physics thread of this world. Throws an {@link IllegalStateException} if another thread is. */
    void enter() {
        own();
    }

    /** Makes the calling thread the physics thread of this world, in place of another one that no longer ticks it. */
    void move() {
        ownInsteadOfOwner();
    }

    /** Returns whether the calling thread is the physics thread of this world; false if the simulation was closed. */
    boolean isTicking() {
        return isOwner();
    }

    void beginStep() {
        stepping = Thread.currentThread();
    }

    void endStep() {
        stepping = null;
    }

    /**
     * Checks that the caller may step the world: within the step of its own tick, or while no thread ticks the world. Otherwise throws an
     * {@link IllegalStateException}, also on the physics thread outside of a step.
     */
    void requireOwnStep() {
        Thread owner = owner();
        if (owner != null && stepping != Thread.currentThread()) {
            throw new IllegalStateException("thread '" + Thread.currentThread().getName() + "' steps " + world
                    + ", which the service of thread '" + owner.getName()
                    + "' ticks; leave that to the service, or close it first");
        }
    }

    void requireAccess() {
        requireTo("touch it; do that in physics.execute(tick -> { ... }), or read in physics.query(tick -> ...)");
    }

    private void requireTo(String wish) {
        Thread owner = owner();
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException("thread '" + owner.getName() + "' ticks " + world + ", but thread '"
                    + Thread.currentThread().getName() + "' wants to " + wish);
        }
    }
}
