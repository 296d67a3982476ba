package dev.escapement.bench.jmh;

import dev.escapement.render.FrameView;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/** A view of {@link TumblingBodies} at a moment between two ticks, all of them moving. */
final class ShownMoment {

    private static final int WINDOW_SIZE = 3;
    private static final TickRate RATE = TumblingBodies.RATE;

    /** The instant of the frame: three tenths of the way from the second tick of the window to the third. */
    static final long FRAME_NANOS = RATE.nanosAt(WINDOW_SIZE) + RATE.nanosAt(1) * 3 / 10;

    private ShownMoment() {}

    /** A view that is yet to be advanced to the frame. */
    static FrameView of(int bodies) {
        Timeline timeline = new Timeline(RATE);
        timeline.start(0);
        SnapshotExchange exchange = new SnapshotExchange(WINDOW_SIZE, 1, bodies, RATE, PoseLayout.PLAIN);
        SnapshotWriter writer = exchange.writer();
        Capture capture = new Capture(new TumblingBodies(bodies), PoseLayout.PLAIN, RATE, bodies);
        for (long tick = 1; tick <= WINDOW_SIZE; tick++) {
            Snapshot latest = writer.latest();
            Snapshot snapshot = writer.begin();
            snapshot.begin(tick, timeline.dueNanos(tick));
            try {
                capture.write(snapshot, latest);
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
            writer.publish(timeline, timeline.dueNanos(tick));
        }
        return FrameView.inline(exchange.attach());
    }
}
