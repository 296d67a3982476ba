package dev.escapement.bench.cluster;

import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.cluster.aeron.LeaderStream;
import dev.escapement.render.FrameView;
import dev.escapement.render.RemoteView;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Looks on from outside, over Aeron: for how long no tick came that is as it was in the cluster. Any thread. */
final class ClusterViewer implements AutoCloseable {

    /** Beyond those of five nodes. */
    private static final int FIRST_PORT = 20380;

    private static final long FRAME_NANOS = TimeUnit.SECONDS.toNanos(1) / 144;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final AeronDriver driver = AeronDriver.embedded();
    private final RemoteView<SnapshotReceiver, AeronReceiver> remote;
    private final Thread thread = new Thread(this::look, "viewer");
    private final AtomicLong longestNanos = new AtomicLong();

    // Volatile: the thread sees it within one of its waits.
    private volatile boolean closed;

    ClusterViewer(int nodes) {
        NanoClock clock = NanoClock.system();
        List<String> channels =
                IntStream.range(0, nodes).mapToObj(ClusterViewer::channel).toList();
        remote = RemoteView.open(
                clock,
                new SnapshotReceiver(ReceiverSettings.DEFAULT, clock),
                receiver -> AeronReceiver.startOfReplicas(driver, channels, receiver, clock));
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
        while (!closed) {
            LockSupport.parkNanos(FRAME_NANOS);
            FrameView view = remote.view();
            long nowNanos = System.nanoTime();
            if (view == null || !view.advance(nowNanos)) {
                continue;
            }
            Snapshot newest = view.window().newest();
            if (newest.tick() > seenTick && !newest.isPredicted()) {
                if (seenNanos != 0) {
                    longestNanos.accumulateAndGet(nowNanos - seenNanos, Math::max);
                }
                seenTick = newest.tick();
                seenNanos = nowNanos;
            }
        }
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
