package dev.escapement.physics.world;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** The right to tick a world, which one simulation has at a time. Any thread. */
final class WorldLease {

    /** Weak, so that a world whose simulation was forgotten without being closed is free again. Guarded by itself. */
    private static final List<WeakReference<WorldLease>> TAKEN = new ArrayList<>();

    private final Object world;

    private WorldLease(Object world) {
        this.world = world;
    }

    /**
     * Takes a world.
     *
     * @throws IllegalStateException if another simulation has it
     */
    static WorldLease take(Object world) {
        synchronized (TAKEN) {
            TAKEN.removeIf(taken -> taken.refersTo(null));
            for (WeakReference<WorldLease> taken : TAKEN) {
                WorldLease other = taken.get();
                if (other != null && other.world == world) {
                    throw new IllegalStateException(
                            "another simulation ticks " + world
                                    + " already, and two would step it twice; close that one first, or give its service more readers");
                }
            }
            WorldLease lease = new WorldLease(world);
            TAKEN.add(new WeakReference<>(lease));
            return lease;
        }
    }

    /**
     * Passes for a world that no simulation has.
     *
     * @throws IllegalStateException if one has it
     */
    static void requireFree(Object world) {
        synchronized (TAKEN) {
            for (WeakReference<WorldLease> taken : TAKEN) {
                WorldLease holder = taken.get();
                if (holder != null && holder.world == world) {
                    throw new IllegalStateException("this simulation was closed, and another one has " + world
                            + " now; ask that one for it, in a command of its service");
                }
            }
        }
    }

    /** Gives it back. Idempotent. */
    void release() {
        synchronized (TAKEN) {
            TAKEN.removeIf(taken -> taken.refersTo(this));
        }
    }
}
