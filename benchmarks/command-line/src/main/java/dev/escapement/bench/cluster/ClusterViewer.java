package dev.escapement.bench.cluster;

import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.cluster.aeron.LeaderStream;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Looks on from outside, over Aeron: how long no tick came that is as it was in the cluster, and by how much the picture moves too far or not
 * far enough from one frame to the next, where it shows such ticks. Any thread.
 */
final class ClusterViewer implements AutoCloseable {

    /** Beyond those of five nodes. */
    private static final int FIRST_PORT = 20380;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FRAME_NANOS = TimeUnit.SECONDS.toNanos(1) / 144;
    private static final long MOST_ERROR_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
    private final AeronDriver driver;
    private final AeronReceiver stream;
    private final Thread thread;
    private final AtomicLong longestNanos = new AtomicLong();
    private final SingleWriterRecorder errors = new SingleWriterRecorder(3);

    // Volatile: the thread sees it within one of its waits.
    private volatile boolean closed;

    ClusterViewer(int nodes) {
        driver = AeronDriver.embedded();
        stream = AeronReceiver.startOfReplicas(
                driver,
                IntStream.range(0, nodes).mapToObj(ClusterViewer::channel).toList(),
                receiver,
                NanoClock.system());
        thread = new Thread(this::look, "viewer");
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
        long seenTick = Snapshot.NEVER_WRITTEN;
        long seenNanos = 0;
        SnapshotReader reader = null;
        Frames frames = null;
        while (!closed) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (frames != null) {
                frames.lookAt(System.nanoTime());
            }
            if (reader == null) {
                reader = receiver.isReady() ? receiver.newReader() : null;
            } else if (reader.acquire()) {
                if (frames == null) {
                    frames = new Frames(reader.window().timeline().rate());
                }
                Snapshot newest = reader.window().newest();
                if (newest.tick() > seenTick && !newest.isPredicted()) {
                    long nowNanos = System.nanoTime();
                    if (seenNanos != 0) {
                        longestNanos.accumulateAndGet(nowNanos - seenNanos, Math::max);
                    }
                    seenTick = newest.tick();
                    seenNanos = nowNanos;
                }
            }
        }
    }

    /** Frames of a display, each drawn soon after the instant that it is for. */
    private final class Frames {
        private final FrameView view = FrameView.of(receiver.newReader());
        private final AnimationError error = new AnimationError("viewer");
        private final Timeline time;
        private long frameNanos = System.nanoTime();
        private boolean wasTrue;

        Frames(TickRate rate) {
            time = new Timeline(rate);
            time.start(frameNanos);
        }

        void lookAt(long nowNanos) {
            if (nowNanos - frameNanos < FRAME_NANOS) {
                return;
            }
            frameNanos += (nowNanos - frameNanos) / FRAME_NANOS * FRAME_NANOS;
            if (!view.advance(frameNanos)) {
                wasTrue = false;
                return;
            }
            long next = view.shownTick() + 1;
            boolean isTrue = !view.shown().isPredicted()
                    && next <= view.window().newestTick()
                    && !view.window()
                            .snapshot((int) (next - view.window().oldestTick()))
                            .isPredicted();
            double shownTick = view.shownTick() - receiver.tickShift() + (double) view.alpha();
            // Not the receiver's own timeline: a picture that goes at another speed to catch up moves wrongly too.
            long errorNanos = error.frame((long) (shownTick * time.rate().nanosAt(1)), time, frameNanos);
            if (isTrue && wasTrue) {
                errors.recordValue(Math.min(MOST_ERROR_NANOS, Math.abs(errorNanos)));
            }
            wasTrue = isTrue;
        }
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
        stream.close();
        driver.close();
    }
}
