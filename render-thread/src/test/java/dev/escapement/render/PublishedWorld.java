package dev.escapement.render;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.function.LongUnaryOperator;

/**
 * The publishing side on a virtual clock: a body that moves 1 m a tick along x, ticks that cost what a test says, late
 * ones given up. Everything but the cost is the production exchange and timeline.
 */
public final class PublishedWorld {

    public static final TickRate RATE = TickRate.hertz(100);
    public static final long TICK_NANOS = RATE.nanosAt(1);

    private final SnapshotExchange exchange;
    private final Timeline timeline = new Timeline(RATE);
    private final Capture capture = new Capture(this::write, PoseLayout.PLAIN, RATE, 1);
    private final LongUnaryOperator costNanos;
    private long nextTick = 1;
    private long nextPublishNanos;

    public PublishedWorld(int windowSize, LongUnaryOperator costNanos) {
        exchange = new SnapshotExchange(windowSize, 2, 1, RATE);
        this.costNanos = costNanos;
        timeline.start(0);
        nextPublishNanos = timeline.dueNanos(1) + costNanos.applyAsLong(1);
    }

    public SnapshotReader newReader() {
        return exchange.attach();
    }

    public Timeline timeline() {
        return timeline;
    }

    /** Publishes all that is published by an instant. */
    public void runUntil(long nanos) {
        while (nextPublishNanos <= nanos) {
            publish(nextPublishNanos);
            nextTick++;
            nextPublishNanos = timeline.dueNanos(nextTick) + costNanos.applyAsLong(nextTick);
        }
    }

    private void write(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) nextTick, 0, 0, 0, 0, 0, 1);
    }

    private void publish(long nanos) {
        Snapshot latest = exchange.writer().latest();
        Snapshot snapshot = exchange.writer().begin();
        snapshot.begin(nextTick, timeline.dueNanos(nextTick));
        try {
            capture.write(snapshot, latest);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        long missed = timeline.lastTickDueBefore(nanos) - nextTick;
        if (missed > 0) {
            timeline.giveUp(nextTick, missed);
        }
        exchange.writer().publish(timeline, nanos);
    }
}
