package dev.escapement.bench.measure;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;

/** Looks for what the handoff promises never to happen: a snapshot that changed while it was held, a gap between ticks. */
public final class WindowCheck {

    private long tornSnapshots;
    private long nonConsecutiveWindows;
    private long windows;

    /** Checks a window after its last use, just before the next one is acquired. */
    public void check(Window window) {
        windows++;
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.computeChecksum() != snapshot.checksum()) {
                tornSnapshots++;
            }
            if (i > 0 && snapshot.tick() != window.snapshot(i - 1).tick() + 1) {
                nonConsecutiveWindows++;
            }
        }
    }

    /** How many windows were checked. */
    public long windows() {
        return windows;
    }

    /** How many snapshots had another checksum than was written. */
    public long tornSnapshots() {
        return tornSnapshots;
    }

    /** How many times a tick was not followed by the next. */
    public long nonConsecutiveWindows() {
        return nonConsecutiveWindows;
    }
}
