package dev.escapement.bench.measure;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Checks what the handoff promises of windows: snapshots do not change while a reader holds them, ticks are consecutive, no window is
 * older than the one before it or than what was published before it was asked for.
 *
 * <p>For one reader, on its thread. {@link #check} allocates for the first window only, and where something is wrong.
 */
public final class WindowCheck {

    private final Check whole;
    private final Check consecutive;
    private final Check forwards;
    private final Check fresh;

    // What the window said when it was taken, by the snapshot's index; empty while none was.
    private long[] ticks = {};
    private long[] checksums = {};
    private long newestTick;
    private long windows;

    /**
     * A check of nothing yet.
     *
     * @param whole       snapshots that change while they are held
     * @param consecutive ticks that do not follow each other
     * @param forwards    windows that are older than the one before
     * @param fresh       windows that are older than what was published before they were asked for
     */
    public WindowCheck(Check whole, Check consecutive, Check forwards, Check fresh) {
        this.whole = whole;
        this.consecutive = consecutive;
        this.forwards = forwards;
        this.fresh = fresh;
    }

    /**
     * Lets a reader ask for a window, and checks the one that it holds then, if any.
     *
     * @param atLeast the tick that was published before
     * @return whether it holds another one than before
     */
    public boolean acquire(SnapshotReader reader, long atLeast) {
        boolean another = reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        Window window = reader.window();
        asked(window.newest().tick(), atLeast);
        if (another) {
            taken(window);
        }
        check(window);
        return another;
    }

    /**
     * Checks the newest tick of the window that a reader holds after it has asked.
     *
     * @param tick    the newest tick
     * @param atLeast the tick that was published before the reader asked
     */
    public void asked(long tick, long atLeast) {
        forwards.that(tick >= newestTick, () -> "tick " + tick + " after tick " + newestTick);
        fresh.that(tick >= atLeast, () -> "tick " + tick + " when " + atLeast + " was published");
        newestTick = tick;
    }

    /**
     * Remembers what a window says that was just taken: a snapshot that is written again as a whole has a right checksum again, but not
     * this one.
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

    /** Checks a window while it is held: when it was taken, or after its last use, just before the next one is acquired. */
    public void check(Window window) {
        windows++;
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (isAsTaken(i, snapshot)) {
                whole.held(1);
            } else {
                whole.broken(snapshot + " is torn, or not what it was when it was taken");
            }
            if (i > 0 && snapshot.tick() != window.snapshot(i - 1).tick() + 1) {
                consecutive.broken(
                        snapshot.tick() + " follows " + window.snapshot(i - 1).tick());
            } else if (i > 0) {
                consecutive.held(1);
            }
        }
    }

    private boolean isAsTaken(int index, Snapshot snapshot) {
        long checksum = snapshot.computeChecksum();
        return checksum == snapshot.checksum()
                && (ticks.length == 0 || (snapshot.tick() == ticks[index] && checksum == checksums[index]));
    }

    /** The newest tick that was seen. */
    public long newestTick() {
        return newestTick;
    }

    /** How many windows were checked. */
    public long windows() {
        return windows;
    }
}
