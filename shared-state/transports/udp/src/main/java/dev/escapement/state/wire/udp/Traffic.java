package dev.escapement.state.wire.udp;

/**
 * The counts of an endpoint since its start.
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
    /** Packets refused because their seal is wrong: another key, another session, or changed on the way. */
    FORGED,
    /** Packets refused because they were repeated, are too old to know, or are the HELLO of an earlier session. */
    REPLAYED,
    /** Packets refused because they are cut off, of no known kind, or invalid for the receiver of snapshots. */
    MALFORMED,
    /** Packets refused because they came from an address without a session, or are of another session or stream. */
    STRANGE,
    /** HELLO packets without a valid cookie that were not answered because too many came in a second. */
    CALLS_LIMITED,
    /** HELLO packets answered with a refusal and its reason. */
    REFUSED,
    /** Input events put into the ring. */
    INPUTS_TAKEN,
    /** Input events dropped: of no known kind, at a place that is not finite, or the server has no ring. */
    INPUTS_DROPPED
}
