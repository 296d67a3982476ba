package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The session of one receiver that acknowledges packets, at a {@link SnapshotSender}.
 *
 * <p>The receiver's acknowledgements decide what the sender sends. A receiver that acknowledges nothing gets little after 1 s, and
 * {@linkplain #isLost is lost} after 5 s. A receiver that acknowledges guessed packets gets no more than an honest one: the differences
 * from the packets that it claims to have.
 *
 * <p>Used by the thread of the sender.
 *
 * @see SnapshotSender
 */
public final class SenderSession {

    /**
     * The maximum bytes of a packet. With the 24 bytes of a seal that is 1,200, which passes every network with IPv6, because its least MTU
     * is 1,280. Four bodies that no prediction shortens fit into a packet.
     */
    public static final int MAX_PACKET_BYTES = 1176;

    /**
     * The interval of the first information packets. Until a receiver answers it may lack the information, without which it can read
     * nothing.
     */
    private static final long FIRST_INFO_NANOS = 20_000_000;

    private static final int FIRST_INFOS = 10;

    /** The silence of a receiver after which it gets only information packets. */
    private static final long SILENCE_NANOS = 1_000_000_000;

    /** The number of information packets in a row that announce a pause: until receivers know of the pause, they predict motion. */
    private static final int URGENT_INFOS = 3;

    private static final int U8 = 0xFF;

    private final SnapshotSender sender;
    private final IntConsumer acknowledge = this::acknowledge;
    private final ReceiverBudget budget;
    private @Nullable AcknowledgedWriter writer;
    private boolean heard;
    private long heardNanos;
    private int infos;
    private long informedNanos;
    private boolean informedOfStanding;
    private int urgentInfos;
    private final @Nullable Interest interest;
    private final InterestSettings settings;
    private @Nullable InterestView view;

    SenderSession(SnapshotSender sender, @Nullable Interest interest, InterestSettings settings) {
        this.sender = sender;
        budget = new ReceiverBudget(sender);
        this.interest = interest;
        this.settings = settings;
    }

    /**
     * Writes the next packet, if it is time for one.
     *
     * @param packet   a buffer with room for {@value #MAX_PACKET_BYTES} bytes
     * @param nowNanos the clock now
     * @return false if there is nothing to send now
     * @throws IllegalArgumentException if there is less room
     */
    public boolean write(ByteBuffer packet, long nowNanos) {
        checkRoom(packet);
        SnapshotEncoder world = sender.encoder;
        if (world == null) {
            return false;
        }
        InterestView of = view(world, nowNanos);
        if (of == null) {
            return write(packet, world, nowNanos);
        }
        int start = packet.position();
        boolean isWritten = !of.isExhausted() && write(packet, of.encoder(), nowNanos);
        of.sent(packet.position() - start);
        return isWritten;
    }

    static void checkRoom(ByteBuffer packet) {
        if (packet.remaining() < MAX_PACKET_BYTES) {
            throw new IllegalArgumentException("a packet needs room for " + MAX_PACKET_BYTES + " bytes, but its buffer"
                    + " has " + packet.remaining() + "; clear it, or allocate SenderSession.MAX_PACKET_BYTES");
        }
    }

    private @Nullable InterestView view(SnapshotEncoder world, long nowNanos) {
        InterestView known = view;
        if (known == null && interest != null) {
            known = new InterestView(interest, settings, world, sender.rate, sender.views++);
            view = known;
        }
        WireTick newest = world.newest();
        if (known != null && newest != null) {
            known.take(newest, sender.stands, nowNanos);
        }
        return known;
    }

    private boolean write(ByteBuffer packet, SnapshotEncoder from, long nowNanos) {
        if (!heard) {
            heard = true;
            heardNanos = nowNanos; // the receiver's request for the world is its first sign of life
        }
        if (isInfoDue(nowNanos)) {
            sender.info(from).write(packet);
            if (sender.stands && writer != null) {
                writer.repeat();
            }
            return true;
        }
        WireTick newest = from.newest();
        if (newest == null || !budget.has(newest.slots, from.channelCount, nowNanos) || isSilent(nowNanos)) {
            return false;
        }
        AcknowledgedWriter to = writer;
        if (to == null) {
            to = new AcknowledgedWriter(from, false);
            writer = to;
        }
        int start = packet.position();
        if (!to.write(packet)) {
            return false;
        }
        budget.sent(packet.position() - start, nowNanos);
        return true;
    }

    private boolean isSilent(long nowNanos) {
        return heard && nowNanos - heardNanos > SILENCE_NANOS;
    }

    private boolean isInfoDue(long nowNanos) {
        if (sender.stands != informedOfStanding) {
            informedOfStanding = sender.stands;
            urgentInfos = URGENT_INFOS;
        }
        long everyNanos = (budget.isAnswered() || infos >= FIRST_INFOS) && urgentInfos == 0
                ? SnapshotSender.INFO_NANOS
                : FIRST_INFO_NANOS;
        boolean isDue = infos == 0 || urgentInfos == URGENT_INFOS || nowNanos - informedNanos >= everyNanos;
        if (isDue) {
            infos = Math.min(infos + 1, FIRST_INFOS);
            informedNanos = nowNanos;
            urgentInfos = Math.max(0, urgentInfos - 1);
        }
        return isDue;
    }

    /**
     * Takes feedback: which packets were read, and how many are lost.
     *
     * @param from     the bytes that {@link SnapshotReceiver#writeFeedback} wrote, from the buffer's position on
     * @param nowNanos the clock now
     * @return false if it is too short, or about another stream
     */
    public boolean feedback(ByteBuffer from, long nowNanos) {
        heard = true;
        heardNanos = nowNanos;
        if (!ArrivedPackets.read(from, sender.streamId, acknowledge)) {
            return false;
        }
        if (writer != null && from.hasRemaining()) {
            int losses = from.get() & U8;
            writer.losses(losses >>> 1);
            if ((losses & 1) != 0) {
                writer.distrust();
            }
        }
        return true;
    }

    private void acknowledge(int packetNumber) {
        if (writer != null && writer.acknowledge(packetNumber)) {
            budget.acknowledged();
        }
    }

    /**
     * Returns true if sending to this receiver should end: for 5 s it has acknowledged none of the packets sent to it.
     *
     * @param nowNanos the clock now
     * @return whether the receiver is lost; false if no packet was sent to it, for example in a world that stands still
     */
    public boolean isLost(long nowNanos) {
        return budget.isLost(isSilent(nowNanos), nowNanos);
    }

    /**
     * Notes that this receiver returns, or that its route changes: earlier packets may be lost. The receiver gets the newest tick again. If
     * it acknowledged nothing in its last session, it gets little until it acknowledges a packet.
     *
     * @param nowNanos the clock now
     */
    public void beginSession(long nowNanos) {
        budget.beginSession(nowNanos);
        if (writer != null) {
            writer.repeat();
        }
    }
}
