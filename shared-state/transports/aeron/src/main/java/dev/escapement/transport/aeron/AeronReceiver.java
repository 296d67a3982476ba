package dev.escapement.transport.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.jspecify.annotations.Nullable;

/**
 * Receives a world over Aeron, on the thread of all streams of its driver; if it records, or has no driver, on one of its own.
 *
 * <pre>{@code
 * SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
 * try (AeronDriver driver = AeronDriver.embedded();
 *         AeronReceiver stream = AeronReceiver.start(driver, "aeron:udp?control=localhost:20121", receiver, NanoClock.system(), null)) {
 *     ...
 *     FrameView view = FrameView.of(receiver.newReader());   // when receiver.isReady()
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No packet ends it. What is of no use is counted by the snapshot receiver.
 *   <li>It goes on when its sender is started again, and waits for one that is not there yet.
 * </ol>
 *
 * <p>Any thread may call any method.
 */
public final class AeronReceiver extends AeronStream {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MOST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MOST_LATENCY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PACKETS_PER_TURN = 256;
    static final int MOST_BYTES = AeronSender.TICK_BYTES + AeronSender.MOST_BYTES;

    private final List<StreamChannel> channels;
    private final @Nullable AeronDriver given;
    private final SnapshotReceiver receiver;
    private final @Nullable AeronRecording recording;
    private final FragmentHandler read = this::read;
    private final ByteBuffer packet = ByteBuffer.allocate(MOST_BYTES);
    private final SingleWriterRecorder latency = new SingleWriterRecorder(1, MOST_LATENCY_NANOS, 2);

    // Null and empty while no process of this machine sends the stream. Volatile: written by the thread, read by any
    // that
    // asks for counts.
    private volatile @Nullable AeronDriver driver;
    private volatile List<Subscription> subscriptions;

    // The thread alone.
    private @Nullable Exception thrown;
    private long lookedNanos;
    private long dueNanos;

    private AeronReceiver(
            @Nullable AeronDriver given,
            List<StreamChannel> channels,
            List<Subscription> subscriptions,
            SnapshotReceiver receiver,
            NanoClock clock,
            @Nullable AeronRecording recording) {
        super(
                "the receiver from "
                        + channels.stream().map(StreamChannel::text).collect(Collectors.joining(" and ")),
                given != null && recording == null ? given.streams : new StreamThread("escapement-aeron-receiver"),
                clock);
        this.given = given;
        this.channels = channels;
        this.receiver = receiver;
        this.recording = recording;
        this.subscriptions = subscriptions;
        driver = given;
        dueNanos = clock.nanoTime();
        lookedNanos = dueNanos - LOOK_NANOS;
    }

    /**
     * Starts to receive, also if nothing is sent yet.
     *
     * @param driver    a driver that stays open until this is closed; null for {@code aeron:ipc} from an embedded driver of another process of
     *                  this machine, which is found, and found again when it was started again
     * @param channel   the same as the sender's
     * @param receiver  gets the snapshots; belongs to this from now on
     * @param clock     the clock of the receiver
     * @param recording where packets are kept, to be closed after this; null if nowhere
     * @return a receiver, to be closed
     * @throws IllegalArgumentException if it is no channel, or cannot be used here, for example because another program has the port
     * @throws IllegalStateException    if there is no driver, and the JVM was started without {@value AeronDriver#ADD_OPENS}
     */
    public static AeronReceiver start(
            @Nullable AeronDriver driver,
            String channel,
            SnapshotReceiver receiver,
            NanoClock clock,
            @Nullable AeronRecording recording) {
        StreamChannel where = StreamChannel.of(channel);
        if (driver == null) {
            AeronDriver.requireOpenBuffers();
            if (!where.isIpc()) {
                throw new IllegalArgumentException("'" + channel + "' needs a driver; only aeron:ipc finds one");
            }
        }
        return start(driver, List.of(where), receiver, clock, recording);
    }

    /**
     * Starts to receive a world that several senders have, of which one sends at a time.
     *
     * @param driver   a driver that stays open until this is closed
     * @param channels those of the senders
     * @param receiver gets the snapshots; belongs to this from now on
     * @param clock    the clock of the receiver
     * @return a receiver, to be closed
     * @throws IllegalArgumentException if one is no channel, or cannot be used here
     * @see SnapshotSender#ofReplica()
     */
    public static AeronReceiver startOfReplicas(
            AeronDriver driver, List<String> channels, SnapshotReceiver receiver, NanoClock clock) {
        return start(driver, channels.stream().map(StreamChannel::of).toList(), receiver, clock, null);
    }

    private static AeronReceiver start(
            @Nullable AeronDriver driver,
            List<StreamChannel> channels,
            SnapshotReceiver receiver,
            NanoClock clock,
            @Nullable AeronRecording recording) {
        List<Subscription> subscriptions = driver == null ? List.of() : subscribe(driver, channels);
        try {
            AeronReceiver started = new AeronReceiver(driver, channels, subscriptions, receiver, clock, recording);
            started.start();
            return started;
        } catch (Throwable e) {
            CloseHelper.quietCloseAll(subscriptions); // who hears and does not read holds up others
            throw e;
        }
    }

    private static List<Subscription> subscribe(AeronDriver driver, List<StreamChannel> channels) {
        List<Subscription> subscribed = new ArrayList<>();
        try {
            channels.forEach(channel -> subscribed.add(subscribe(driver, channel)));
        } catch (IllegalArgumentException e) {
            CloseHelper.quietCloseAll(subscribed);
            throw e;
        }
        return List.copyOf(subscribed);
    }

    private static Subscription subscribe(AeronDriver driver, StreamChannel channel) {
        try {
            return driver.aeron().addSubscription(channel.ofReceiver(), channel.streamId());
        } catch (AeronException e) {
            throw new IllegalArgumentException(
                    "the Aeron channel " + channel.text() + " cannot be received from: " + AeronDriver.firstLine(e), e);
        }
    }

    @Override
    long turn() {
        look();
        List<Subscription> from = subscriptions;
        int count = 0;
        for (int i = 0; i < from.size(); i++) {
            count += from.get(i).poll(read, PACKETS_PER_TURN);
        }
        if (thrown != null) {
            LangUtil.rethrowUnchecked(thrown);
        }
        long nowNanos = clock.nanoTime();
        if (count > 0 || nowNanos - dueNanos >= 0) {
            dueNanos = receiver.run(nowNanos);
        }
        return count > 0 ? nowNanos : Math.min(dueNanos, nowNanos + MOST_WAIT_NANOS);
    }

    @Override
    void end() {
        disconnect();
    }

    /** Now and then: whether the driver still runs, and where the stream is if it is not known. */
    private void look() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = nowNanos;
        if (recording != null) {
            recording.poll();
        }
        AeronDriver known = driver;
        if (given != null) {
            if (given.isClosed()) {
                throw new IllegalStateException("Aeron's driver has ended");
            }
        } else if (known == null || known.isClosed() || DriverDirectory.hasEnded(known.directory())) {
            disconnect();
            AeronDriver found = AeronDriver.sending(channels.get(0));
            driver = found;
            if (found != null) {
                try {
                    subscriptions = subscribe(found, channels);
                } catch (IllegalArgumentException e) {
                    disconnect(); // it has ended just now
                }
            }
        }
    }

    private void disconnect() {
        CloseHelper.quietCloseAll(subscriptions);
        CloseHelper.quietClose(given == null ? driver : null);
        subscriptions = List.of();
        driver = null;
    }

    /** Aeron keeps what a handler throws to itself. */
    private void read(DirectBuffer buffer, int offset, int length, Header header) {
        try {
            take(buffer, offset, length, header);
        } catch (Exception e) { // Agrona throws checked ones, too
            thrown = e;
        }
    }

    private void take(DirectBuffer buffer, int offset, int length, Header header) {
        long nowNanos = clock.nanoTime();
        count(length);
        boolean whole = (header.flags() & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED;
        if (!whole || length <= AeronSender.TICK_BYTES || length > MOST_BYTES) {
            return; // the end of a tick, or of another program
        }
        latency.recordValue(Math.min(MOST_LATENCY_NANOS, Math.max(0, nowNanos - header.reservedValue())));
        if (recording != null) {
            recording.take(buffer, offset, length, header.reservedValue());
        }
        buffer.getBytes(offset + AeronSender.TICK_BYTES, packet.clear(), length - AeronSender.TICK_BYTES);
        receiver.packet(packet.flip(), nowNanos);
    }

    @Override
    public Map<String, Long> counts() {
        AeronDriver by = given != null ? given : driver;
        Map<String, Long> counts = by == null ? new LinkedHashMap<>() : by.counts();
        counts.put(
                "images",
                subscriptions.stream().mapToLong(Subscription::imageCount).sum());
        counts.put("clamped-bodies", receiver.figure(ReceiverFigure.CLAMPED_BODIES));
        return counts;
    }

    /**
     * How long packets took from the sender to this thread, since the last call. Only meaningful if both are on one machine, with one clock.
     *
     * @return nanoseconds, with an error of at most 1%; the caller's own copy
     */
    public Histogram latencyNanos() {
        return latency.getIntervalHistogram();
    }
}
