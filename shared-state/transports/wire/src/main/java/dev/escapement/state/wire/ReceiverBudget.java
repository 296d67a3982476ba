package dev.escapement.state.wire;

/**
 * The send budget of one receiver, which depends on its acknowledgements. A slow receiver gets ten packets a second.
 *
 * <pre>
 *   new, 1 s --acknowledges--&gt; proven --nothing for 1 s, or not one packet of many--&gt; slow --nothing for 5 s--&gt; lost
 *                                 ^------------------acknowledges--------------------'
 * </pre>
 *
 * <p>Times count only while packets go out: in a world that stands still there is nothing to acknowledge. All new receivers share a budget
 * that is small in the long run, so that joining again does not help. All slow receivers share another budget, so that they take nothing
 * from new ones. One acknowledged packet proves a receiver.
 *
 * <p>Used by the thread of the {@link SnapshotSender}.
 */
final class ReceiverBudget {

    private static final long SECOND = 1_000_000_000;
    private static final long SLOW_NANOS = SECOND;
    private static final long LOST_NANOS = 5 * SECOND;

    /** A receiver that still sends feedback counts as lost only after packets were sent to it over at least this time. */
    private static final long UNANSWERED_NANOS = 3 * SECOND;

    /** After this time without a packet, acknowledgements of earlier packets are not expected. */
    private static final long GAP_NANOS = 4 * SECOND;

    private static final double SLOW_BYTES_PER_SECOND = 13_000;

    /**
     * The bytes that may be sent for each acknowledged packet, about a dozen packets. A usable network delivers at least one of a dozen.
     */
    private static final int EARNED_BYTES = 16_000;

    /** The time in which a joining receiver may get the whole world. At more than 50 ticks a second it may get the world in each tick. */
    private static final double JOIN_SECONDS = 0.02;

    // The maximum bytes per body of a joining receiver, including repair packets, which add a half.
    private static final int BODY_BYTES = 60;
    private static final int CHANNEL_BYTES = 8;
    private static final double MIN_BYTES_PER_SECOND = 200_000;

    private static final double BURST_SECONDS = 0.02;

    private final SnapshotSender sender;
    private SharedBudget shared;

    private boolean paced;
    private long pacedNanos;
    private double budgetBytes;

    /** The bytes that may still be sent to a receiver that acknowledges little: at most the bytes of one second. */
    private double earnedBytes;

    private double maxEarnedBytes;
    private boolean answered;
    private boolean answeredInSession;

    /** True if packets were sent since {@link #owesNanos}, and none acknowledged. */
    private boolean owes;

    private long owesNanos;
    private long sentNanos;

    ReceiverBudget(SnapshotSender sender) {
        this.sender = sender;
        shared = sender.ofNew;
    }

    /** Returns whether a packet of a world with this many slots may be sent now. */
    boolean has(int slots, int channels, long nowNanos) {
        if (!paced || nowNanos != pacedNanos) {
            double worldBytes = (double) slots * (BODY_BYTES + channels * CHANNEL_BYTES);
            double bytesPerSecond =
                    Math.max(MIN_BYTES_PER_SECOND, worldBytes * Math.max(1 / JOIN_SECONDS, sender.rate.inHertz()));
            maxEarnedBytes = bytesPerSecond; // the bytes of one second
            earnedBytes = paced ? Math.min(earnedBytes, maxEarnedBytes) : maxEarnedBytes;
            boolean isSlow = isSlow();
            shared = isSlow ? sender.ofSlow : answered ? sender.ofProven : sender.ofNew;
            // A new receiver may need several packets until it can read one, so it gets its full rate while the shared
            // budget lasts.
            double given = shared == sender.ofNew
                    ? bytesPerSecond
                    : shared.share(isSlow ? SLOW_BYTES_PER_SECOND : bytesPerSecond);
            double seconds = paced ? (nowNanos - pacedNanos) / (double) SECOND : BURST_SECONDS;
            budgetBytes = Math.min(budgetBytes + given * seconds, given * BURST_SECONDS);
            paced = true;
            pacedNanos = nowNanos;
        }
        return budgetBytes > 0 && shared.leftBytes() > 0;
    }

    /** Notes that a packet of a tick is sent. Call it after {@link #has}. */
    void sent(int bytes, long nowNanos) {
        budgetBytes -= bytes;
        earnedBytes = Math.max(0, earnedBytes - bytes);
        shared.take(bytes);
        if (!owes || nowNanos - sentNanos > GAP_NANOS) {
            owes = true;
            owesNanos = nowNanos;
        }
        sentNanos = nowNanos;
    }

    /** Notes that a packet was acknowledged for the first time. */
    void acknowledged() {
        answered = true;
        answeredInSession = true;
        owes = false;
        earnedBytes = Math.min(earnedBytes + EARNED_BYTES, maxEarnedBytes);
    }

    boolean isAnswered() {
        return answered;
    }

    /**
     * Returns true if the receiver has acknowledged too little. It has acknowledged nothing for a second, or very little of the bytes sent
     * to it.
     */
    boolean isSlow() {
        return paced && (earnedBytes <= 0 || (owes && sentNanos - owesNanos > SLOW_NANOS));
    }

    /** Returns whether the receiver has acknowledged nothing for so long that sending to it should end. */
    boolean isLost(boolean isSilent, long nowNanos) {
        return owes && nowNanos - owesNanos >= LOST_NANOS && (isSilent || sentNanos - owesNanos >= UNANSWERED_NANOS);
    }

    /** Notes that the receiver returns. If it acknowledged nothing in its last session, it is slow from the start. */
    void beginSession(long nowNanos) {
        if (answeredInSession) {
            owes = false;
        } else if (owes) {
            sentNanos = nowNanos;
            owesNanos = nowNanos - SLOW_NANOS - 1;
        }
        answeredInSession = false;
    }
}
