package dev.escapement.bench.stress;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;

/**
 * Checks the promises about windows for one reader. No snapshot may change while the reader holds it, the ticks of a window must be
 * consecutive, and a window must not be older than the previous one, nor lack a tick that was published before the acquire.
 *
 * <p>On the reader's thread. {@link #check} allocates only for the first window and for violations.
 */
final class WindowCheck {

    private final Trial trial;
    private final Check whole;
    private final Check consecutive;
    private final Check forwards;
    private final Check fresh;

    // By index in the window: the ticks and checksums of the held snapshots when they were acquired. Empty before the
    // first window.
    private long[] ticks = {};
    private long[] checksums = {};
    private long newestTick;

    /** Creates a check that has seen no window. The trial must check all four promises about windows. */
    WindowCheck(Trial trial) {
        this(trial, trial.check(Promise.FRESH));
    }

    /**
     * Creates a check for a reader to which not every published tick is delivered. Freshness then counts in {@code fresh} and not in the
     * trial.
     */
    WindowCheck(Trial trial, Check fresh) {
        this.trial = trial;
        whole = trial.check(Promise.WHOLE);
        consecutive = trial.check(Promise.CONSECUTIVE);
        forwards = trial.check(Promise.FORWARDS);
        this.fresh = fresh;
    }

    /** Acquires a window for a reader and checks it. Does nothing if there is none. {@code atLeast} is a tick that was published before. */
    void acquire(SnapshotReader reader, long atLeast) {
        boolean another = reader.acquire();
        if (!reader.hasWindow()) {
            return;
        }
        Window window = reader.window();
        asked(window.newest().tick(), atLeast);
        if (another) {
            taken(window);
        }
        check(window);
    }

    /**
     * Checks that the newest tick of an acquired window is not older than before, nor than {@code atLeast}, which was published before the
     * acquire.
     */
    void asked(long tick, long atLeast) {
        forwards.that(tick >= newestTick, () -> "tick " + tick + " after tick " + newestTick);
        fresh.that(tick >= atLeast, () -> "tick " + tick + " when " + atLeast + " was published");
        newestTick = tick;
    }

    /**
     * Stores the checksums of a window that was just acquired. If the writer overwrites a held snapshot completely, the new checksum is
     * right, and only the comparison with the stored one finds the change.
     */
    void taken(Window window) {
        if (ticks.length != window.size()) {
            ticks = new long[window.size()];
            checksums = new long[window.size()];
        }
        for (int i = 0; i < window.size(); i++) {
            ticks[i] = window.snapshot(i).tick();
            checksums[i] = window.snapshot(i).checksum();
        }
    }

    /** Checks a held window. Call it after the acquire, and again after the last use, before the next acquire. */
    void check(Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (isAsTaken(i, snapshot)) {
                whole.held(1);
            } else {
                whole.broken(
                        "the snapshot of tick " + snapshot.tick() + " is torn, or has changed since it was acquired");
            }
            if (i > 0 && snapshot.tick() != window.snapshot(i - 1).tick() + 1) {
                consecutive.broken(
                        snapshot.tick() + " follows " + window.snapshot(i - 1).tick());
            } else if (i > 0) {
                consecutive.held(1);
            }
        }
    }

    /** Breaks the planted promise, if there is one, by modifying the held window, which readers must never do. */
    void plant(Window window) {
        WritableSnapshot newest = (WritableSnapshot) window.newest();
        // Overwrites the snapshot as if it were of a later tick, with a checksum that is right for it.
        if (trial.isPlanted(Promise.WHOLE)) {
            newest.startTick(newest.tick() + window.size(), newest.dueNanos());
            newest.seal();
        } else if (trial.isPlanted(Promise.CONSECUTIVE)) {
            newest.startTick(newest.tick() + 1, newest.dueNanos());
        } else if (trial.isPlanted(Promise.FORWARDS)) {
            asked(newestTick - 1, newestTick - 1);
        } else if (trial.isPlanted(Promise.FRESH)) {
            asked(newestTick, newestTick + 1);
        }
    }

    private boolean isAsTaken(int index, Snapshot snapshot) {
        long checksum = snapshot.computeChecksum();
        return checksum == snapshot.checksum()
                && (ticks.length == 0 || (snapshot.tick() == ticks[index] && checksum == checksums[index]));
    }

    long newestTick() {
        return newestTick;
    }
}
