package dev.escapement.render;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The publishing side on a virtual clock, with the exchange and timeline of production code. A body moves 1 m per tick along x, unless a
 * test defines bodies. Each tick takes a given time; late ticks are skipped.
 */
public final class PublishedWorld {

    @FunctionalInterface
    public interface Poses {

        void write(long tick, PoseWriter poses);
    }

    public static final TickRate RATE = TickRate.hertz(100);
    public static final long TICK_NANOS = RATE.nanosAt(1);

    private final SnapshotExchange exchange;
    private final Timeline timeline = new Timeline(RATE);
    private final Capture capture;
    private Poses poses;
    private final Map<Long, Poses> corrections = new HashMap<>();
    private long capturedTick;
    private final LongUnaryOperator costNanos;
    private long nextTick = 1;
    private long nextPublishNanos;
    private long pauseAfterTick = Long.MAX_VALUE;
    private long pauseNanos;
    private long scaleAfterTick = Long.MAX_VALUE;
    private TimeScale scale = TimeScale.ONE;

    public PublishedWorld(int windowSize, LongUnaryOperator costNanos) {
        this(windowSize, costNanos, PublishedWorld::oneBody);
    }

    public PublishedWorld(int windowSize, LongUnaryOperator costNanos, Poses poses) {
        this(windowSize, costNanos, poses, null);
    }

    /** Creates a world whose readers know its clock and check the instants of their frames against it. */
    public PublishedWorld(int windowSize, LongUnaryOperator costNanos, Poses poses, @Nullable NanoClock clock) {
        exchange = new SnapshotExchange(windowSize, 2, 1, RATE, PoseLayout.PLAIN, clock);
        capture = new Capture(this::capture, PoseLayout.PLAIN, RATE, 1);
        this.poses = poses;
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

    public void pauseAfter(long tick, long nanos) {
        pauseAfterTick = tick;
        pauseNanos = nanos;
    }

    public void scaleAfter(long tick, TimeScale newScale) {
        scaleAfterTick = tick;
        scale = newScale;
    }

    public void runUntil(long nanos) {
        while (nextPublishNanos <= nanos) {
            if (timeline.isPaused()) {
                timeline.resume(nextPublishNanos, scale);
                exchange.writer().publishTimeline(timeline);
            } else {
                publish(nextPublishNanos);
                nextTick++;
            }
            nextPublishNanos = timeline.isPaused()
                    ? nextPublishNanos + pauseNanos
                    : timeline.dueNanos(nextTick) + costNanos.applyAsLong(nextTick);
        }
    }

    public static void oneBody(long tick, PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
    }

    /**
     * Replaces the bodies of {@code tick} and all later ticks. The world also re-simulates the two ticks before {@code tick} with the new
     * bodies.
     */
    public void correctBefore(long tick, Poses right) {
        corrections.put(tick, right);
    }

    private void capture(PoseWriter writer) {
        poses.write(capturedTick, writer);
    }

    private void publish(long nanos) {
        Snapshot latest = exchange.writer().latest();
        WritableSnapshot snapshot = exchange.writer().nextSnapshot();
        snapshot.startTick(nextTick, timeline.dueNanos(nextTick));
        try {
            Poses right = corrections.get(nextTick);
            if (right != null && latest != null) {
                poses = right;
                for (capturedTick = nextTick - 2; capturedTick < nextTick; capturedTick++) {
                    capture.resimulation().capture(latest);
                }
            }
            capturedTick = nextTick;
            capture.captureInto(snapshot, latest);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        long missed = timeline.lastTickDueBefore(nanos) - nextTick;
        if (missed > 0) {
            timeline.skip(nextTick, missed);
        }
        if (nextTick == scaleAfterTick) {
            timeline.changeScale(nextTick, scale);
        }
        if (nextTick == pauseAfterTick) {
            timeline.pause(nextTick);
        }
        exchange.writer().publish(timeline, nanos);
    }
}
