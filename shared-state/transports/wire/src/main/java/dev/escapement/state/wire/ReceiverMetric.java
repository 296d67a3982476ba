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
    /** How long ticks wait here on average, measured from the fastest way that any has taken, nanoseconds. */
    PLAYOUT_NANOS,
    /** How often the sender was found to be another one than before. */
    STREAMS,
    /** Bodies of the last published tick, without those that are predicted, at the edge of what the {@link WireFormat} can tell. */
    CLAMPED_BODIES
}
