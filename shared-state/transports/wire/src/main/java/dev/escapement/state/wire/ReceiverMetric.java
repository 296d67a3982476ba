package dev.escapement.state.wire;

/**
 * The metrics of a receiver.
 *
 * @see SnapshotReceiver#metric
 */
public enum ReceiverMetric {
    /** The number of published ticks. */
    TICKS,
    /** The number of published ticks with predicted poses, because packets did not arrive in time. */
    FILLED_TICKS,
    /** The number of packets that did not arrive, or arrived so late that they count as lost. */
    LOST_PACKETS,
    /** The number of packets that were refused or could not be decoded. */
    REFUSED_PACKETS,
    /** The time by which ticks are shown later than on the fastest path, in nanoseconds. */
    PLAYOUT_NANOS,
    /** The number of streams that began: the first one, and one for each other or restarted sender. */
    STREAMS,
    /** The number of bodies of the last published tick at the edge of the {@link WireFormat}'s range. Predicted bodies do not count. */
    CLAMPED_BODIES
}
