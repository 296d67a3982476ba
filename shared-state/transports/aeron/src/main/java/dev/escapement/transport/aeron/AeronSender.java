package dev.escapement.transport.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotSender;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.ReservedValueSupplier;
import io.aeron.exceptions.AeronException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a world over Aeron, on the stream thread of its driver. Sends each packet once for all receivers, unless Aeron must send it to each
 * receiver.
 *
 * <pre>{@code
 * SnapshotSender sender = new SnapshotSender(physics.newReader(), new WireFormat(0.001f, 0.003f), streamId);
 * try (AeronDriver driver = AeronDriver.embedded();
 *         AeronSender stream = AeronSender.start(driver, "aeron:udp?control=localhost:20121", sender, NanoClock.system())) {
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread never calls the sender, and never waits for it.
 *   <li>The sender waits for no receiver. Where Aeron has no room for a packet, the sender drops the rest of the tick. The next tick
 *       contains every difference from the packets that were sent.
 * </ol>
 *
 * <p>Any thread may call any method.
 */
public final class AeronSender extends AeronStream {

    /**
     * The time from a tick's packets to the empty message that ends the tick. The message makes a receiver that lacks the last packet
     * request it before the next tick.
     */
    private static final long END_NANOS = 1_000_000;

    /** The interval at which an idle stream checks whether to send. */
    private static final long IDLE_NANOS = 5_000_000;

    /** The room that a packet takes in Aeron's buffer at most, with its frame and alignment. */
    private static final int ROOM_BYTES = 2048;

    private final AeronDriver driver;
    private final Supplier<SnapshotSender> senders;
    private final BooleanSupplier sends;

    // The source of the snapshots; null while this stream does not send. Stream thread only.
    private @Nullable SnapshotSender sender;
    private SnapshotSender.@Nullable Broadcast broadcast;

    private final ExclusivePublication publication;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(SenderSession.MAX_PACKET_BYTES);
    private final UnsafeBuffer out = new UnsafeBuffer(packet);

    private final ReservedValueSupplier now;

    /** Whether an empty message must still be sent after the last packet, to mark the end of the tick. */
    private boolean endDue;

    private long endNanos;

    private long cutTick = -1;

    private long dueNanos;

    /** The number of ticks whose rest was not sent, because Aeron had no room. The stream thread writes it; the count orders nothing. */
    private final AtomicLong cutTicks = new AtomicLong();

    private AeronSender(
            AeronDriver driver,
            Supplier<SnapshotSender> senders,
            BooleanSupplier sends,
            StreamChannel channel,
            ExclusivePublication publication,
            NanoClock clock) {
        super("the sender to " + channel.text(), driver.streams, clock);
        this.driver = driver;
        this.senders = senders;
        this.sends = sends;
        this.publication = publication;
        dueNanos = clock.nanoTime();
        now = (buffer, offset, length) -> clock.nanoTime();
    }

    /**
     * Starts to send.
     *
     * @param driver  a driver that stays open until this sender is closed
     * @param channel the destination: {@code aeron:udp?endpoint=host:port} for one receiver or a multicast group,
     *                {@code aeron:udp?control=host:port} for any number of receivers, {@code aeron:ipc} within this process
     * @param sender  the source of the snapshots; belongs to this object from now on
     * @param clock   the clock of the snapshots
     * @return a sender, to be closed
     * @throws IllegalArgumentException if the channel is invalid, or cannot be used here, for example because there is no room for its
     *                                  buffers; the snapshot sender stays the caller's
     */
    public static AeronSender start(AeronDriver driver, String channel, SnapshotSender sender, NanoClock clock) {
        return begin(driver, channel, sender, () -> sender, () -> true, clock);
    }

    /**
     * Starts one of several senders of the same world, which sends only while {@code sends} returns true. Receivers keep the connection in
     * between, so nothing is lost when this sender takes over from another.
     *
     * @param driver  a driver that stays open until this sender is closed
     * @param channel the destination, an Aeron channel; {@link #start} has examples
     * @param senders creates a sender {@linkplain SnapshotSender#ofReplica() of a replica} each time sending begins, on the stream thread
     * @param sends   returns whether to send now; the stream thread asks every few milliseconds
     * @param clock   the clock of the snapshots
     * @return a sender, to be closed
     * @throws IllegalArgumentException if the channel is invalid, or cannot be used here
     */
    public static AeronSender startOfReplica(
            AeronDriver driver,
            String channel,
            Supplier<SnapshotSender> senders,
            BooleanSupplier sends,
            NanoClock clock) {
        return begin(driver, channel, null, senders, sends, clock);
    }

    private static AeronSender begin(
            AeronDriver driver,
            String channel,
            @Nullable SnapshotSender sender,
            Supplier<SnapshotSender> senders,
            BooleanSupplier sends,
            NanoClock clock) {
        StreamChannel where = StreamChannel.of(channel);
        ExclusivePublication publication;
        try {
            publication = driver.publish(where);
        } catch (AeronException e) {
            throw new IllegalArgumentException(
                    "the Aeron channel " + channel + " cannot be sent to: " + AeronDriver.firstLine(e), e);
        }
        AeronSender created = new AeronSender(driver, senders, sends, where, publication, clock);
        created.sender = sender; // set before the start, because the started stream closes it
        try {
            created.start();
        } catch (Throwable e) {
            CloseHelper.quietClose(publication);
            throw e;
        }
        return created;
    }

    @Override
    long turn() {
        if (clock.nanoTime() - dueNanos < 0) {
            return dueNanos;
        }
        dueNanos = turnIfDue();
        return dueNanos;
    }

    private long turnIfDue() {
        driver.requireOpen();
        if (!sends.getAsBoolean()) {
            CloseHelper.close(sender);
            sender = null;
            broadcast = null;
            return clock.nanoTime() + IDLE_NANOS;
        }
        SnapshotSender from = sender == null ? senders.get() : sender;
        sender = from;
        if (broadcast == null) {
            broadcast = from.newBroadcast();
        }
        long nextNanos = from.run(clock.nanoTime());
        if (!publication.isConnected()) {
            return nextNanos;
        }
        send(from, broadcast);
        long nowNanos = clock.nanoTime();
        if (endDue && endNanos - nowNanos <= 0) {
            endDue = publication.availableWindow() < ROOM_BYTES;
            endNanos = nowNanos + END_NANOS; // without room, tries again after this time
            if (!endDue) {
                offer(0);
            }
        }
        return endDue && endNanos - nextNanos < 0 ? endNanos : nextNanos;
    }

    @Override
    void end() {
        CloseHelper.closeAll(publication, sender);
    }

    private void send(SnapshotSender from, SnapshotSender.Broadcast to) {
        while (publication.availableWindow() >= ROOM_BYTES) {
            if (!to.write(packet.clear(), clock.nanoTime())) {
                return;
            }
            offer(packet.position());
            endDue = true;
            endNanos = clock.nanoTime() + END_NANOS;
        }
        if (from.newestTick() != cutTick) { // counts each tick once
            cutTick = from.newestTick();
            cutTicks.setOpaque(cutTicks.getPlain() + 1);
        }
    }

    private void offer(int length) {
        long position;
        do {
            position = publication.offer(out, 0, length, now);
            // Aeron begins a new term of its buffer; the next offer goes into the new term.
        } while (position == Publication.ADMIN_ACTION);
        if (position > 0) {
            count(length);
        }
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = driver.counts();
        counts.put("cut-ticks", cutTicks.getOpaque());
        return counts;
    }
}
