package dev.escapement.state.wire.udp;

/**
 * The counts of an endpoint since its start.
 *
 * @see Endpoint#count
 */
public enum Traffic {
    /** The number of arrived packets of any kind. */
    PACKETS_IN,
    /** The number of bytes of arrived packets. */
    BYTES_IN,
    /** The number of packets sent. */
    PACKETS_OUT,
    /** The number of bytes of packets sent. */
    BYTES_OUT,
    /** The number of packets refused because their seal is wrong: another key, another session, or changed on the way. */
    FORGED,
    /**
     * The number of packets refused because they were repeated, are so old that they may be repeated, or are the HELLO of an earlier
     * session.
     */
    REPLAYED,
    /** The number of packets refused because they are cut off, of no known kind, or invalid for the receiver of snapshots. */
    MALFORMED,
    /** The number of packets refused because they came from an address without a session, or are of another session or stream. */
    STRANGE,
    /** The number of HELLO packets without a valid cookie that were not answered because too many came in a second. */
    CALLS_LIMITED,
    /** The number of HELLO packets answered with a refusal and its reason. */
    REFUSED,
    /** The number of input events put into the ring. */
    INPUTS_TAKEN,
    /** The number of input events dropped: of no known kind, with coordinates that are not finite, or the server has no ring. */
    INPUTS_DROPPED
}
