package dev.escapement.render.web;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How many bodies there were in each of the latest ticks, and how many of them moved. One thread. */
final class MovedBodies {

    private static final int KEPT = 1024;

    /** A tick: -1 stands for what is not known. */
    record Count(long tick, int moved, int bodies) {}

    private final Count[] counts = new Count[KEPT];

    MovedBodies() {
        Arrays.fill(counts, new Count(Snapshot.NEVER_WRITTEN, -1, -1));
    }

    /** Counts those of a tick, and those that moved since the tick before, if that is known. */
    void count(Snapshot now, @Nullable Snapshot before) {
        int moved = before == null ? -1 : 0;
        for (int b = 0;
                before != null
                        && b < before.poses().blockCount()
                        && b < now.poses().blockCount();
                b++) {
            if (now.motion(b).changedTick() == now.tick()) {
                int slots = Math.min(now.poses().slotsIn(b), before.poses().slotsIn(b));
                int[] generation = now.bodyBlock(b).generation;
                PoseBlock to = now.poses().block(b);
                PoseBlock from = before.poses().block(b);
                for (int i = 0; i < slots; i++) {
                    moved += BodyId.isLive(generation[i]) && differs(to, from, i) ? 1 : 0;
                }
            }
        }
        counts[at(now.tick())] = new Count(now.tick(), moved, now.bodies().count());
    }

    Count of(long tick) {
        Count count = counts[at(tick)];
        return count.tick == tick ? count : new Count(tick, -1, -1);
    }

    private static int at(long tick) {
        return (int) (tick & (KEPT - 1));
    }

    private static boolean differs(PoseBlock a, PoseBlock b, int i) {
        return a.px[i] != b.px[i]
                || a.py[i] != b.py[i]
                || a.pz[i] != b.pz[i]
                || a.qx[i] != b.qx[i]
                || a.qy[i] != b.qy[i]
                || a.qz[i] != b.qz[i]
                || a.qw[i] != b.qw[i];
    }
}
