package dev.escapement.state.wire;

/**
 * The metrics of a receiver.
 *
 * @see SnapshotReceiver#metric
 */
public enum ReceiverMetric {
    /** Ticks that were published. */
    TICKS,
    /** Ticks of which some poses were predicted, because they did not arrive in time. */
    FILLED_TICKS,
    /** Packets that did not arrive, or too late to be distinguished from those. */
    LOST_PACKETS,
    /** Packets that were refused or could not be decoded. */
    REFUSED_PACKETS,
    /** How much later than on the fastest path ticks are shown here, nanoseconds. */
    PLAYOUT_NANOS,
    /** How often a stream of another sender began. */
    STREAMS,
    /** Bodies of the last published tick at the edge of the range of the {@link WireFormat}. Predicted bodies do not count. */
    CLAMPED_BODIES
}
