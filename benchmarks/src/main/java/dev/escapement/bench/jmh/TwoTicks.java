package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/** Consecutive snapshots of {@link TumblingBodies}, captured as the physics thread captures them. */
final class TwoTicks {

    static final double TICK_SECONDS = TumblingBodies.RATE.dtSeconds();

    /** The first spawns the bodies and the second has no velocity to compare with: only later ones are like any other. */
    private static final int LAST_TICK = 5;

    final Snapshot before;
    final Snapshot from;
    final Snapshot to;

    TwoTicks(int bodies, PoseLayout layout) throws Exception {
        before = new Snapshot(bodies, layout);
        from = new Snapshot(bodies, layout);
        to = new Snapshot(bodies, layout);
        List<Snapshot> inTurn = List.of(from, to, before);
        Capture capture = new Capture(new TumblingBodies(bodies), layout, TumblingBodies.RATE, bodies);
        Snapshot latest = null;
        for (long tick = 1; tick <= LAST_TICK; tick++) {
            Snapshot snapshot = inTurn.get((int) ((tick + 2) % inTurn.size()));
            snapshot.startTick(tick, TumblingBodies.RATE.nanosAt(tick));
            capture.captureInto(snapshot, latest);
            latest = snapshot;
        }
    }
}
