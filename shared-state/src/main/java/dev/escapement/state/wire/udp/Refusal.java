package dev.escapement.state.wire.udp;

/**
 * Why a server does not take a client.
 *
 * @see ClientEndpoint#refusal()
 */
public enum Refusal {
    /** The server speaks another version of the protocol. */
    VERSION,
    /** The server sends a world of another name. */
    WORLD,
    /** Only one side has a key, or they have different keys. */
    KEY,
    /** The server has, or had half a minute ago, as many clients as it takes. */
    FULL
}
