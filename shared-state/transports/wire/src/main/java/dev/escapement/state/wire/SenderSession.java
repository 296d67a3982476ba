package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One receiver of a {@link SnapshotSender}, which acknowledges packets. What it is sent depends on what it acknowledges: one that
 * acknowledges nothing gets little after 1 s, and {@linkplain #isLost is lost} after 5 s. One that guesses the numbers of packets, and
 * acknowledges some that it did not get, is sent no more than a viewer: the differences to what it claims to have.
 *
 * <p>The thread of the sender.
 *
 * @see SnapshotSender
 */
public final class SenderSession {

    /**
     * The least room for a packet. With the 24 bytes of a seal it is 1,200, which passes wherever IPv6 does (RFC 8899); four bodies that no
     * prediction shortens have room in it.
     */
    public static final int MIN_ROOM_BYTES = 1176;

    /** Until a receiver has answered it may lack the information that it needs to read anything: it is sent this often, this many times. */
    private static final long FIRST_INFO_NANOS = 20_000_000;

    private static final int FIRST_INFOS = 10;

    /** A receiver that is silent for this long gets only information. */
    private static final long SILENCE_NANOS = 1_000_000_000;

    /** A pause is sent this many times in a row: until it is known, receivers predict. */
    private static final int URGENT_INFOS = 3;

    /** Packets that differ by less pass the same paths. */
    private static final int ALIKE_BYTES = 16;

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

    /** Since when sizes are compared, and the largest of packets that were sent and acknowledged in this time and in the time before it. */
    private long comparedNanos;

    private int largestSent;
    private int largestSentBefore;
    private int largestArrived;
    private int largestArrivedBefore;

    SenderSession(SnapshotSender sender, @Nullable Interest interest, InterestSettings settings) {
        this.sender = sender;
        budget = new ReceiverBudget(sender);
        this.interest = interest;
        this.settings = settings;
    }

    /**
     * Writes the next packet, if it is time for one.
     *
     * @param packet   has room for {@value #MIN_ROOM_BYTES} up to 1,300 bytes, which is how long the packet may be
     * @param nowNanos the clock now
     * @return false if there is nothing to send now
     */
    public boolean write(ByteBuffer packet, long nowNanos) {
        if (packet.remaining() <= MIN_ROOM_BYTES) {
            largestSent = 0;
            largestSentBefore = 0;
        }
        SnapshotEncoder world = sender.encoder;
        if (world == null) {
            return false;
        }
        InterestView of = view(world, nowNanos);
        if (of == null) {
            return write(packet, world, sender.slots, nowNanos);
        }
        int start = packet.position();
        boolean isWritten = !of.isExhausted() && write(packet, of.encoder(), of.slots(), nowNanos);
        of.sent(packet.position() - start);
        return isWritten;
    }

    private @Nullable InterestView view(SnapshotEncoder world, long nowNanos) {
        InterestView known = view;
        if (known == null && interest != null) {
            known = new InterestView(interest, settings, world, sender.rate, sender.views++);
            view = known;
        }
        WireTick newest = world.tick(world.newestTick());
        if (known != null && newest != null) {
            known.take(newest, sender.stands, nowNanos);
        }
        return known;
    }

    private boolean write(ByteBuffer packet, SnapshotEncoder from, int sentSlots, long nowNanos) {
        if (!heard) {
            heard = true;
            heardNanos = nowNanos; // of a receiver that asks for the world, its request
        }
        if (isInfoDue(nowNanos)) {
            sender.info(from).write(packet);
            if (sender.stands && writer != null) {
                writer.repeat();
            }
            return true;
        }
        if (!budget.has(sentSlots, from.channelCount, nowNanos) || isSilent(nowNanos)) {
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
        int bytes = packet.position() - start;
        budget.sent(bytes, nowNanos);
        if (PacketHeader.isOfTick(packet.get(start) & 0xFF)) { // sums are not acknowledged
            largestSent = Math.max(largestSent, bytes);
        }
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
     * @param from     what {@link SnapshotReceiver#writeFeedback} wrote, from its position on
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
        int bytes = writer == null ? 0 : writer.acknowledge(packetNumber);
        if (bytes > 0) {
            budget.acknowledged();
            largestArrived = Math.max(largestArrived, bytes);
        }
    }

    /**
     * Whether large packets do not arrive: of those that were sent some time ago, the largest were not acknowledged since. Some may be lost
     * by chance.
     *
     * @param nowNanos   the clock now
     * @param afterNanos how long an acknowledgement may take
     * @return at most once in that time true
     */
    public boolean losesLarge(long nowNanos, long afterNanos) {
        if (nowNanos - comparedNanos < afterNanos) {
            return false;
        }
        int arrived = Math.max(largestArrived, largestArrivedBefore);
        boolean loses = largestSentBefore > Math.max(MIN_ROOM_BYTES, arrived > 0 ? arrived + ALIKE_BYTES : 0);
        comparedNanos = nowNanos;
        largestSentBefore = largestSent;
        largestArrivedBefore = largestArrived;
        largestSent = 0;
        largestArrived = 0;
        return loses;
    }

    /**
     * Whether sending to this receiver should end: for 5 s it has acknowledged nothing of what it was sent.
     *
     * @param nowNanos the clock now
     * @return false if it was sent nothing, as in a world that stands still
     */
    public boolean isLost(long nowNanos) {
        return budget.isLost(isSilent(nowNanos), nowNanos);
    }

    /**
     * Notes that this receiver returns, or that its packets go another way from now on: those before may be lost. It gets the newest tick
     * again, and if it acknowledged nothing the last time, little until it does.
     *
     * @param nowNanos the clock now
     */
    public void beginSession(long nowNanos) {
        comparedNanos = nowNanos;
        budget.beginSession(nowNanos);
        if (writer != null) {
            writer.repeat();
        }
    }
}
