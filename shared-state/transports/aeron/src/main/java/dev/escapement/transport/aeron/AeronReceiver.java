package dev.escapement.transport.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Receives a world over Aeron, on the thread of all streams of its driver.
 *
 * <pre>{@code
 * SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
 * try (AeronDriver driver = AeronDriver.embedded();
 *         AeronReceiver stream = AeronReceiver.start(driver, "aeron:udp?control=localhost:20121", receiver, NanoClock.system())) {
 *     ...
 *     FrameView view = FrameView.of(receiver.newReader());   // when receiver.isReady()
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No packet ends the receiver. The snapshot receiver counts invalid packets.
 *   <li>The receiver continues when its sender is started again, and waits for a sender that has not started.
 * </ol>
 *
 * <p>Any thread may call any method.
 */
public final class AeronReceiver extends AeronStream {

    private static final long MAX_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MAX_LATENCY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PACKETS_PER_TURN = 256;

    private final AeronDriver driver;
    private final List<Subscription> subscriptions;
    private final SnapshotReceiver receiver;
    private final FragmentHandler take = this::take;
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
    private final SingleWriterRecorder latency = new SingleWriterRecorder(1, MAX_LATENCY_NANOS, 2);

    /** The time at which the snapshot receiver must run next. Stream thread only. */
    private long dueNanos;

    private AeronReceiver(
            AeronDriver driver,
            List<StreamChannel> channels,
            List<Subscription> subscriptions,
            SnapshotReceiver receiver,
            NanoClock clock) {
        super(
                "the receiver from "
                        + channels.stream().map(StreamChannel::text).collect(Collectors.joining(" and ")),
                driver.streams,
                clock);
        this.driver = driver;
        this.subscriptions = subscriptions;
        this.receiver = receiver;
        dueNanos = clock.nanoTime();
    }

    /**
     * Starts to receive, even if nothing is sent yet.
     *
     * @param driver   a driver that stays open until this receiver is closed
     * @param channel  the sender's channel
     * @param receiver receives the snapshots; belongs to this object from now on
     * @param clock    the clock of the receiver
     * @return a receiver, to be closed
     * @throws IllegalArgumentException if the channel is invalid, or cannot be used here, for example because another program has the port,
     *                                  or there is no room for its buffers
     */
    public static AeronReceiver start(AeronDriver driver, String channel, SnapshotReceiver receiver, NanoClock clock) {
        return startOfReplicas(driver, List.of(channel), receiver, clock);
    }

    /**
     * Starts to receive a world from several senders, of which one sends at a time.
     *
     * @param driver   a driver that stays open until this receiver is closed
     * @param channels the senders' channels
     * @param receiver receives the snapshots; belongs to this object from now on
     * @param clock    the clock of the receiver
     * @return a receiver, to be closed
     * @throws IllegalArgumentException if a channel is invalid, or cannot be used here
     * @see SnapshotSender#ofReplica()
     */
    public static AeronReceiver startOfReplicas(
            AeronDriver driver, List<String> channels, SnapshotReceiver receiver, NanoClock clock) {
        List<StreamChannel> from = channels.stream().map(StreamChannel::of).toList();
        List<Subscription> subscriptions = new ArrayList<>();
        try {
            from.forEach(channel -> subscriptions.add(subscribe(driver, channel)));
            AeronReceiver started = new AeronReceiver(driver, from, subscriptions, receiver, clock);
            started.start();
            return started;
        } catch (Throwable e) {
            CloseHelper.quietCloseAll(subscriptions); // an unread subscription would delay the other receivers
            throw e;
        }
    }

    private static Subscription subscribe(AeronDriver driver, StreamChannel channel) {
        try {
            return driver.subscribe(channel);
        } catch (AeronException e) {
            throw new IllegalArgumentException(
                    "the Aeron channel " + channel.text() + " cannot be received from: " + AeronDriver.firstLine(e), e);
        }
    }

    @Override
    long turn() {
        driver.requireOpen();
        int count = 0;
        for (int i = 0; i < subscriptions.size(); i++) {
            count += subscriptions.get(i).poll(take, PACKETS_PER_TURN);
        }
        long nowNanos = clock.nanoTime();
        if (count > 0 || nowNanos - dueNanos >= 0) {
            dueNanos = receiver.run(nowNanos);
        }
        return count > 0 ? nowNanos : Math.min(dueNanos, nowNanos + MAX_WAIT_NANOS);
    }

    @Override
    void end() {
        CloseHelper.quietCloseAll(subscriptions);
    }

    private void take(DirectBuffer buffer, int offset, int length, Header header) {
        long nowNanos = clock.nanoTime();
        count(length);
        boolean whole = (header.flags() & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED;
        if (!whole || length == 0 || length > packet.capacity()) {
            return; // ignores empty messages, which end ticks, and packets of other programs
        }
        latency.recordValue(Math.min(MAX_LATENCY_NANOS, Math.max(0, nowNanos - header.reservedValue())));
        buffer.getBytes(offset, packet.clear(), length);
        receiver.packet(packet.flip(), nowNanos);
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = driver.counts();
        counts.put(
                "images",
                subscriptions.stream().mapToLong(Subscription::imageCount).sum());
        counts.put("clamped-bodies", receiver.metric(ReceiverMetric.CLAMPED_BODIES));
        return counts;
    }

    /**
     * {@return the latencies of the packets since the last call} Nanoseconds from the sender to this thread, with an error of at most 1 %.
     * The caller owns the histogram. Only meaningful if sender and receiver run on one machine, with one clock.
     */
    public Histogram latencyNanos() {
        return latency.getIntervalHistogram();
    }
}
