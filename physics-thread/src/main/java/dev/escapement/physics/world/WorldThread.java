package dev.escapement.physics.world;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Which thread may touch a world: any until a service begins and after the end, in between the one that ticks. */
final class WorldThread {

    // Volatile accesses, so that a thread that asks while another ticks sees it. Who ticks has written its own name
    // itself; what was done to the world before that was handed over by whoever started the service. Compare-and-set,
    // because two services that were given the same simulation begin at once.
    private final AtomicReference<@Nullable Thread> ticking = new AtomicReference<>();

    // Volatile for the same reason. A thread that is within a step reads what it has written itself.
    private volatile @Nullable Thread stepping;

    /**
     * The calling thread ticks from now on.
     *
     * @throws IllegalStateException if another one does, which may be one that was abandoned and has not come back
     */
    void enter(Object world) {
        Thread caller = Thread.currentThread();
        Thread last = ticking.get();
        if (last != caller && (owner() != null || !ticking.compareAndSet(last, caller))) {
            throw new IllegalStateException(
                    "thread '" + caller.getName() + "' cannot tick " + world
                            + ", for another thread ticks it, or hangs in it; give each service a simulation and a world of its own");
        }
    }

    /** The calling thread steps the world, as it may. */
    void beginStep() {
        stepping = Thread.currentThread();
    }

    void endStep() {
        stepping = null;
    }

    /**
     * Passes for the step of the tick, and for any while nobody ticks.
     *
     * @throws IllegalStateException if somebody else steps the world
     */
    void requireOwnStep(Object world) {
        Thread owner = owner();
        if (owner != null && stepping != Thread.currentThread()) {
            throw new IllegalStateException("thread '" + Thread.currentThread().getName() + "' steps " + world
                    + ", which the service of thread '" + owner.getName()
                    + "' ticks; leave that to the service, or close it first");
        }
    }

    /** Whether the calling thread ticks. */
    boolean isTicking() {
        return ticking.get() == Thread.currentThread();
    }

    /**
     * Passes for the thread that ticks, and for any when that has ended.
     *
     * @throws IllegalStateException if another thread may be within a step
     */
    void requireToClose(Object world) {
        Thread owner = owner();
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException("thread '" + owner.getName() + "' still ticks " + world
                    + ", so thread '" + Thread.currentThread().getName()
                    + "' cannot close its simulation; close the service, which does");
        }
    }

    /** Who ticks, null if that thread has died: such a thread owns nothing. */
    private @Nullable Thread owner() {
        Thread owner = ticking.get();
        return owner == null || owner.isAlive() ? owner : null;
    }

    /** Nobody ticks any more. */
    void leave() {
        ticking.set(null);
    }

    /**
     * Passes for a thread that may touch the world.
     *
     * @throws IllegalStateException if another thread ticks it
     */
    void require(Object world) {
        Thread owner = owner();
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException(
                    "thread '" + owner.getName() + "' ticks " + world + ", but thread '"
                            + Thread.currentThread().getName()
                            + "' wants to touch it; do that in physics.command(tick -> ...), or read in physics.query(tick -> ...)");
        }
    }
}
