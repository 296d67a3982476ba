package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the world was in its latest ticks: poses and bodies. */
final class Truths {

    private static final int TICKS = 400;

    private final TreeMap<Long, Snapshot> ticks = new TreeMap<>();

    /** Keeps a copy. */
    void add(Snapshot now) {
        WritableSnapshot copy = new WritableSnapshot(0, now.layout());
        copy.startTick(now.tick(), now.dueNanos());
        copy.origin(now.originX(), now.originY(), now.originZ());
        copy.resize(now.poses().slotCount());
        for (int b = 0; b < now.poses().blockCount(); b++) {
            copy.poses().block(b).copyFrom(now.poses().block(b), 0, now.poses().slotsIn(b));
            copy.bodyBlock(b).copyFrom(now.bodyBlock(b));
        }
        ticks.put(now.tick(), copy);
        if (ticks.size() > TICKS) {
            ticks.pollFirstEntry();
        }
    }

    /** A tick, null if it is not known. */
    @Nullable
    Snapshot of(long tick) {
        return ticks.get(tick);
    }
}
