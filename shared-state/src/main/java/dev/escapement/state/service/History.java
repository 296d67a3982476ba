package dev.escapement.state.service;

import dev.escapement.state.snapshot.Snapshot;

/**
 * The poses of the latest ticks, to look back: for scrubbing, for a path of the last seconds, for what a body did before it was hit.
 *
 * <pre>{@code
 * History history = new History(3000, 256 << 20);   // 30 s at 100 Hz, at most 256 MiB
 * history.add(window.newest());
 * if (history.read(tick, past)) {
 *     draw(past.poses());
 * }
 * }</pre>
 *
 * <p>Keeps identity, user data and pose of each body, and the origin. What has not moved from one tick to the next is kept once. One thread
 * at a time.
 */
public final class History {

    /**
     * Creates an empty history.
     *
     * @param maxTicks how many ticks are kept at most, at least 1
     * @param maxBytes how much memory the poses take at most; the oldest ticks are dropped first, the newest is always kept
     * @throws IllegalArgumentException if a number is not positive
     */
    public History(int maxTicks, long maxBytes) {}

    /**
     * Adds a tick. Ticks may be left out; one that is not after the newest begins a new history.
     *
     * @param snapshot the snapshot of the tick, which is copied
     */
    public void add(Snapshot snapshot) {}

    /**
     * Whether a tick is kept.
     *
     * @param tick its number
     * @return whether {@link #read} has it
     */
    public boolean has(long tick) {
        return false;
    }

    /**
     * The oldest tick that is kept.
     *
     * @return its number; {@link Snapshot#NEVER_WRITTEN} if there is none
     */
    public long oldestTick() {
        return Snapshot.NEVER_WRITTEN;
    }

    /**
     * The newest tick that is kept.
     *
     * @return its number; {@link Snapshot#NEVER_WRITTEN} if there is none
     */
    public long newestTick() {
        return Snapshot.NEVER_WRITTEN;
    }

    /**
     * Writes a tick into a snapshot of the caller's own.
     *
     * @param tick its number
     * @param into what is overwritten: tick, due time, origin, bodies and poses
     * @return false if the tick is not kept; then nothing has changed
     */
    public boolean read(long tick, Snapshot into) {
        return false;
    }

    /**
     * How much memory the poses take.
     *
     * @return bytes
     */
    public long bytes() {
        return 0;
    }
}
