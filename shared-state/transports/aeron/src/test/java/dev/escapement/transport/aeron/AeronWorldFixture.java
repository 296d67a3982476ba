package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Waiter;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Tests with a real driver, threads and sockets of this machine. Only the tests advance the clock. */
@Timeout(60)
abstract class AeronWorldFixture {

    private static final long TICK_NANOS = 10_000_000;
    private static final float BOUND = 1e-4f;

    static AeronDriver driver;

    final ManualClock clock = new ManualClock(0);
    final CapturedWorld world = new CapturedWorld(4, 1, PoseLayout.PLAIN);
    int bodies = 50;
    final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);

    @BeforeAll
    static void launch() {
        driver = AeronDriver.embedded();
    }

    @AfterAll
    static void end() {
        driver.close();
        assertThat(driver.directory()).doesNotExist();
    }

    /** The resources that a test has opened; the newest is closed first. */
    final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() {
        CloseHelper.closeAll(opened);
        opened.clear();
    }

    static String free(String channel) throws IOException {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return channel.replace("PORT", Integer.toString(probe.getLocalPort()));
        }
    }

    AeronSender send(String channel, int streamId) {
        AeronSender stream = AeronSender.start(driver, channel, newSender(streamId), clock);
        opened.push(stream);
        return stream;
    }

    SnapshotSender newSender(int streamId) {
        return new SnapshotSender(world.newReader(), new WireFormat(BOUND, 0.001f), streamId);
    }

    AeronReceiver receive(String channel, SnapshotReceiver to) {
        AeronReceiver stream = AeronReceiver.start(driver, channel, to, clock);
        opened.push(stream);
        return stream;
    }

    SnapshotReceiver newReceiver() {
        return new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
    }

    /** Publishes the next tick. The number of the tick determines the position of each body. */
    void tick() {
        clock.advance(TICK_NANOS);
        long tick = world.ticks() + 1;
        world.tick(poses -> {
            poses.bodyCount(bodies);
            for (int i = 0; i < bodies; i++) {
                poses.set(i, x(tick, i), i, 0, 0, 0, 0, 1);
            }
        });
    }

    private static float x(long tick, int body) {
        return (float) Math.sin(tick * 0.3 + body * body);
    }

    void tickUntil(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            tick();
            Waiter.system().park(TICK_NANOS);
        }
    }

    /** Runs ticks until a receiver shows a tick of at least this number, with true poses. */
    void tickUntilShown(SnapshotReceiver by, long tick) {
        tickUntil(by::isReady);
        try (SnapshotReader reader = by.newReader()) {
            tickUntil(() -> trueTick(by, reader) >= tick);
        }
    }

    static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            Waiter.system().park(100_000);
        }
    }

    /** Returns the newest tick that a receiver shows; -1 if its poses are predicted, or if it is empty because another stream follows. */
    long trueTick(SnapshotReceiver by, SnapshotReader reader) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return -1;
        }
        Snapshot newest = reader.window().newest();
        if (newest.poses().slotCount() == 0 || newest.isPredicted()) {
            return -1;
        }
        long tick = newest.tick() - by.tickShift();
        int last = bodies - 1;
        assertThat(newest.poses().slotCount()).isEqualTo(bodies);
        assertThat(newest.poses().block(last >>> PoseBlock.SHIFT).px[last & PoseBlock.MASK])
                .isCloseTo(x(tick, last), within(1.1f * BOUND));
        return tick;
    }
}
