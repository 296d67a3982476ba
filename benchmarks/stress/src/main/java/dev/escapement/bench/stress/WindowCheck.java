package dev.escapement.bench.stress;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;

/**
 * Checks the handoff's promises about windows. Snapshots must not change while a reader holds them, ticks must be consecutive, and no
 * window may be older than the previous one or than the tick that was published before the acquire.
 *
 * <p>For one reader, on its thread. {@link #check} allocates for the first window only, and for errors.
 */
final class WindowCheck {

    private final Trial trial;
    private final Check whole;
    private final Check consecutive;
    private final Check forwards;
    private final Check fresh;

    // The ticks and checksums of the window when it was acquired, by the snapshot's index; empty before the first
    // window.
    private long[] ticks = {};
    private long[] checksums = {};
    private long newestTick;

    /** Creates a check that has seen no window, for a trial that states all four promises. */
    WindowCheck(Trial trial) {
        this(trial, trial.check(Promise.FRESH));
    }

    /** Creates a check for a reader that may see less than was published: {@code fresh} counts the checks of freshness separately. */
    WindowCheck(Trial trial, Check fresh) {
        this.trial = trial;
        whole = trial.check(Promise.WHOLE);
        consecutive = trial.check(Promise.CONSECUTIVE);
        forwards = trial.check(Promise.FORWARDS);
        this.fresh = fresh;
    }

    /**
     * Acquires a window for a reader, and checks it, if there is one.
     *
     * @param atLeast the tick that was published before
     */
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
     * Checks the newest tick of an acquired window.
     *
     * @param tick    the newest tick
     * @param atLeast the tick that was published before acquiring
     */
    void asked(long tick, long atLeast) {
        forwards.that(tick >= newestTick, () -> "tick " + tick + " after tick " + newestTick);
        fresh.that(tick >= atLeast, () -> "tick " + tick + " when " + atLeast + " was published");
        newestTick = tick;
    }

    /**
     * Remembers the checksums of a window that was just acquired. They are needed because a snapshot that was overwritten as a whole has a
     * correct checksum again, but a different one.
     *
     * @param window a new one
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

    /** Checks a held window: after its acquire, or after its last use and before the next acquire. */
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

    /** Breaks the planted promise, if any, in the held window, which readers must never write. */
    void plant(Window window) {
        WritableSnapshot newest = (WritableSnapshot) window.newest();
        if (trial.isPlanted(Promise.WHOLE)) { // writes the whole snapshot as of a later tick, with a correct checksum
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
