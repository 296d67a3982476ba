package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.Timeline;

/**
 * Captures every tick into a snapshot of an exchange and publishes it, as a physics thread does. In every third tick one of two readers
 * acquires, in turn. So the readers' windows and the latest window keep all ten snapshots in use, and each snapshot is overwritten as late
 * as possible.
 */
final class CapturedTicks {

    private static final int WINDOW_SIZE = 3;

    private final Timeline timeline = new Timeline(TumblingBodies.RATE);
    private final SnapshotWriter writer;
    private final SnapshotReader[] readers;
    private final Capture capture;
    private Capture.Source source = poses -> {};
    private long tick;

    CapturedTicks(int bodies) {
        timeline.start(0);
        SnapshotExchange exchange =
                new SnapshotExchange(WINDOW_SIZE, 2, bodies, TumblingBodies.RATE, PoseLayout.PLAIN, null);
        writer = exchange.writer();
        readers = new SnapshotReader[] {exchange.attach(), exchange.attach()};
        capture = new Capture(poses -> source.capture(poses), PoseLayout.PLAIN, TumblingBodies.RATE, bodies);
    }

    Snapshot capture(Capture.Source poses) throws Exception {
        source = poses;
        Snapshot latest = writer.latest();
        WritableSnapshot snapshot = writer.nextSnapshot();
        tick++;
        snapshot.startTick(tick, timeline.dueNanos(tick));
        capture.captureInto(snapshot, latest);
        writer.publish(timeline, timeline.dueNanos(tick));
        if (tick % WINDOW_SIZE == 0) {
            readers[(int) (tick / WINDOW_SIZE) & 1].acquire();
        }
        return snapshot;
    }
}
