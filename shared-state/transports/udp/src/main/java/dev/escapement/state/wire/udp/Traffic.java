package dev.escapement.state.wire.udp;

/**
 * What an endpoint counts from its start on.
 *
 * @see Endpoint#count
 */
public enum Traffic {
    /** Packets that arrived, of any kind. */
    PACKETS_IN,
    /** Bytes of packets that arrived. */
    BYTES_IN,
    /** Packets sent. */
    PACKETS_OUT,
    /** Bytes of packets sent. */
    BYTES_OUT,
    /** Packets sent that the system's socket did not take; they are lost like any on the way. */
    UNSENT,
    /** Packets refused because their seal is wrong: another key, another session, or changed on the way. */
    FORGED,
    /** Packets refused because they came a second time, or too late to tell, or call for a session that is over. */
    REPLAYED,
    /** Packets refused because they are cut, of no known kind, or of no use to the receiver of snapshots. */
    MALFORMED,
    /** Packets refused because they came from an address without a session, or are of another session or stream. */
    STRANGE,
    /** Packets refused because too many clients called. */
    CALLS_LIMITED,
    /** Calls of clients that were told why they are not taken. */
    REFUSED,
    /** Input events put into the ring. */
    INPUTS_TAKEN,
    /** Input events whose stamp lay too far back. */
    INPUTS_CLAMPED,
    /** Packets of which input events were left for later, because their client sends too many. */
    INPUTS_LIMITED,
    /** Packets of which input events were left for later, because the ring was full. */
    INPUTS_DEFERRED,
    /** Input events dropped: of no known kind, at a place that is not finite, or the server has no ring. */
    INPUTS_DROPPED
}
