package dev.escapement.physics.world;

import org.jspecify.annotations.Nullable;

/** Which thread may touch a world: any until a service begins and after the end, in between the one that ticks. */
final class WorldThread {

    // Volatile, so that a thread that asks while another ticks sees it. Who ticks has written its own name itself;
    // what was done to the world before that was handed over by whoever started the service.
    private volatile @Nullable Thread ticking;

    // Volatile for the same reason. A thread that is within a step reads what it has written itself.
    private volatile @Nullable Thread stepping;

    /** The calling thread ticks from now on. */
    void enter() {
        Thread caller = Thread.currentThread();
        if (ticking != caller) {
            ticking = caller;
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
        Thread owner = ticking;
        if (owner != null && stepping != Thread.currentThread()) {
            throw new IllegalStateException("thread '" + Thread.currentThread().getName() + "' steps " + world
                    + ", which the service of thread '" + owner.getName()
                    + "' ticks; leave that to the service, or close it first");
        }
    }

    /** Whether the calling thread ticks. */
    boolean isTicking() {
        return ticking == Thread.currentThread();
    }

    /**
     * Passes for the thread that ticks, and for any when that has ended.
     *
     * @throws IllegalStateException if another thread may be within a step
     */
    void requireToClose(Object world) {
        Thread owner = ticking;
        if (owner != null && owner != Thread.currentThread() && owner.isAlive()) {
            throw new IllegalStateException("thread '" + owner.getName() + "' still ticks " + world
                    + ", so thread '" + Thread.currentThread().getName()
                    + "' cannot close its simulation; close the service, which does");
        }
    }

    /** Nobody ticks any more. */
    void leave() {
        ticking = null;
    }

    /**
     * Passes for a thread that may touch the world.
     *
     * @throws IllegalStateException if another thread ticks it
     */
    void require(Object world) {
        Thread owner = ticking;
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException(
                    "thread '" + owner.getName() + "' ticks " + world + ", but thread '"
                            + Thread.currentThread().getName()
                            + "' wants to touch it; do that in physics.command(tick -> ...), or read in physics.query(tick -> ...)");
        }
    }
}
