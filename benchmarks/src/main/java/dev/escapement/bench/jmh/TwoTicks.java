package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;

/** Two consecutive snapshots of {@link TumblingBodies}, captured as the physics thread captures them. */
final class TwoTicks {

    static final double TICK_SECONDS = TumblingBodies.RATE.dtSeconds();

    /** The first spawns the bodies and the second has no velocity to compare with: only later ones are like any other. */
    private static final int LAST_TICK = 4;

    final Snapshot from;
    final Snapshot to;

    TwoTicks(int bodies, PoseLayout layout) throws Exception {
        from = new Snapshot(bodies, layout);
        to = new Snapshot(bodies, layout);
        Capture capture = new Capture(new TumblingBodies(bodies), layout, TumblingBodies.RATE, bodies);
        Snapshot latest = null;
        for (long tick = 1; tick <= LAST_TICK; tick++) {
            Snapshot snapshot = tick % 2 == LAST_TICK % 2 ? to : from;
            snapshot.begin(tick, TumblingBodies.RATE.nanosAt(tick));
            capture.write(snapshot, latest);
            latest = snapshot;
        }
    }
}
