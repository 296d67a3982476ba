package dev.escapement.bench.stress.world;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;

/**
 * What the window that a reader holds said when it was taken. A snapshot that is written again as a whole has a right checksum again,
 * but not this one.
 *
 * <p>One thread. Allocates for the first window only.
 */
final class HeldWindow {

    // By the snapshot's index in the window.
    private long[] ticks = {};
    private long[] checksums = {};

    /** Remembers what a window says that was just taken. */
    void take(Window window) {
        if (ticks.length != window.size()) {
            ticks = new long[window.size()];
            checksums = new long[window.size()];
        }
        for (int i = 0; i < window.size(); i++) {
            ticks[i] = window.snapshot(i).tick();
            checksums[i] = window.snapshot(i).checksum();
        }
    }

    /** Whether a snapshot of that window is whole, and still says what it said. */
    boolean isAsTaken(int index, Snapshot snapshot) {
        return snapshot.tick() == ticks[index]
                && snapshot.checksum() == checksums[index]
                && snapshot.computeChecksum() == checksums[index];
    }
}
