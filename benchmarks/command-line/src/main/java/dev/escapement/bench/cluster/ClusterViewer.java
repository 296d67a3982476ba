package dev.escapement.bench.cluster;

import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.cluster.aeron.LeaderStream;
import dev.escapement.render.FrameView;
import dev.escapement.render.RemoteView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Looks on from outside, over Aeron: how long no tick came that is as it was in the cluster, and by how much the picture moves too far or not
 * far enough from one frame to the next, where it shows such ticks. Any thread.
 */
final class ClusterViewer implements AutoCloseable {

    /** Beyond those of five nodes. */
    private static final int FIRST_PORT = 20380;

    private static final long FRAME_NANOS = TimeUnit.SECONDS.toNanos(1) / 144;
    private static final long MOST_ERROR_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final AeronDriver driver = AeronDriver.embedded();
    private final RemoteView<AeronReceiver> remote;
    private final Thread thread = new Thread(this::look, "viewer");
    private final AtomicLong longestNanos = new AtomicLong();
    private final SingleWriterRecorder errors = new SingleWriterRecorder(3);

    // Volatile: the thread sees it within one of its waits.
    private volatile boolean closed;

    // The thread alone.
    private final AnimationError error = new AnimationError("viewer");
    private @Nullable Timeline time;
    private boolean wasTrue;
    private long seenTick = Snapshot.NEVER_WRITTEN;
    private long seenNanos;

    ClusterViewer(int nodes) {
        NanoClock clock = NanoClock.system();
        List<String> channels =
                IntStream.range(0, nodes).mapToObj(ClusterViewer::channel).toList();
        remote = RemoteView.open(clock, receiver -> AeronReceiver.startOfReplicas(driver, channels, receiver, clock));
        thread.setDaemon(true);
        thread.start();
    }

    private static String channel(int node) {
        return "aeron:udp?control=localhost:" + (FIRST_PORT + node);
    }

    /** Sends what a node has while it leads. */
    static AeronSender stream(ClusteredPhysics physics, AeronDriver driver, int node) {
        return LeaderStream.start(physics, driver, channel(node), WireFormat.rounded(0.001f, 0.003f));
    }

    private void look() {
        long frameNanos = System.nanoTime();
        while (!closed) {
            frameNanos += FRAME_NANOS;
            LockSupport.parkNanos(frameNanos - System.nanoTime());
            frameNanos += Math.max(0, System.nanoTime() - frameNanos) / FRAME_NANOS * FRAME_NANOS; // missed slots
            FrameView view = remote.view();
            if (view != null && view.advance(frameNanos)) {
                lookAtNewest(view.window().newest());
                lookAt(view, frameNanos);
            } else {
                wasTrue = false;
            }
        }
    }

    private void lookAtNewest(Snapshot newest) {
        if (newest.tick() > seenTick && !newest.isPredicted()) {
            long nowNanos = System.nanoTime();
            if (seenNanos != 0) {
                longestNanos.accumulateAndGet(nowNanos - seenNanos, Math::max);
            }
            seenTick = newest.tick();
            seenNanos = nowNanos;
        }
    }

    private void lookAt(FrameView view, long frameNanos) {
        if (time == null) {
            // Not the receiver's own timeline: a picture that goes at another speed to catch up moves wrongly too.
            time = new Timeline(view.window().timeline().rate());
            time.start(frameNanos);
        }
        long next = view.shownTick() + 1;
        boolean isTrue = !view.shown().isPredicted()
                && next <= view.window().newestTick()
                && !view.window()
                        .snapshot((int) (next - view.window().oldestTick()))
                        .isPredicted();
        double shownTick = view.shownTick() - remote.receiver().tickShift() + (double) view.alpha();
        long errorNanos = error.frame((long) (shownTick * time.rate().nanosAt(1)), time, frameNanos);
        if (isTrue && wasTrue) {
            errors.recordValue(Math.min(MOST_ERROR_NANOS, Math.abs(errorNanos)));
        }
        wasTrue = isTrue;
    }

    /** The animation errors of frames since the last call, in nanoseconds. */
    Histogram takeErrors() {
        return errors.getIntervalHistogram();
    }

    /** The longest time between two such ticks since the last call. */
    long takeLongestNanos() {
        return longestNanos.getAndSet(0);
    }

    @Override
    public void close() {
        closed = true;
        ThreadEnd.await(thread, END_NANOS);
        remote.close();
        driver.close();
    }
}
