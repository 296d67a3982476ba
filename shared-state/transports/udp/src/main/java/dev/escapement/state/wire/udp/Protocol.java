package dev.escapement.state.wire.udp;

import dev.escapement.state.wire.SenderSession;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The layouts of all packets except snapshot packets.
 *
 * <p>Big endian. With a key, all but CHALLENGE, REFUSED, UNKNOWN and a HELLO without a cookie are sealed.
 *
 * <pre>
 * HELLO      client  u8 version, the session: nonce, cookie (0 if it has none), u64 number of the client's last packet before it;
 *                    u8 length of the name, name of the world, 0 up to 256 bytes
 * CHALLENGE  server  nonce, cookie; with a key, its HMAC over both
 * REFUSED    server  nonce, u8 why
 * FEEDBACK   client  u32 session, u8 length of acknowledgements, acknowledgements, u64 clock of the client,
 *                    u64 number of the first event, u8 number of events, the events: u64 stamp, u8 kind, u32 code, f32 x, f32 y
 * TAKEN      server  u32 session, u64 number of the last event taken, u32 number of the client as a sender (0 if no input is taken),
 *                    u32 number of the join: another one if the server was started again, a higher one if it had dropped the client
 * BYE        client  u32 session
 * BYE        server  as TAKEN
 * UNKNOWN    server  u32 session
 * PATH_CHALLENGE  server  cookie of the address that it is sent to
 * PATH_RESPONSE   client  u32 session, that cookie
 * </pre>
 *
 * <p>The client sends HELLO, and repeats it with the cookie of the CHALLENGE; until then the server stores nothing about the client. The
 * server answers the second HELLO with TAKEN, and repeats TAKEN as a sign of life. The u32 session is the beginning of the cookie: without
 * a key it distinguishes packets of an earlier session. In packets of a client it is readable, so that a server with a key knows a client
 * at any address.
 *
 * <p>If a client's newest packet comes from another address, the server answers there with a PATH_CHALLENGE, which has fewer bytes than
 * three times any packet. All other packets go to the old address until the PATH_RESPONSE has come from the new one.
 *
 * <p>The server answers the FEEDBACK of a session that it does not know with UNKNOWN: it has started again, or has dropped the client. The
 * client then sends HELLO at once, if it has heard nothing else for {@value ClientEndpoint#DOUBT_MILLIS} ms; so a forged UNKNOWN does not
 * interrupt a session.
 *
 * <p>A recorded CHALLENGE or HELLO revives no session. The number of the client's last packet differs in each of its sessions, and so do
 * its keys. The server also checks that this number is not less than the number of any packet that it has opened from that client.
 */
final class Protocol {

    static final int VERSION = 5;

    static final byte HELLO = 1;
    static final byte CHALLENGE = 2;
    static final byte REFUSED = 3;
    static final byte FEEDBACK = 4;
    static final byte TAKEN = 5;
    static final byte CLIENT_BYE = 6;
    static final byte SERVER_BYE = 7; // differs from CLIENT_BYE, so that a packet sent back to its sender is refused
    static final byte PATH_CHALLENGE = 8;
    static final byte PATH_RESPONSE = 9;
    static final byte UNKNOWN = 10;

    static final int NONCE_BYTES = 16;
    static final int COOKIE_BYTES = 16;

    /** The length of the tag with which a server with a key signs a CHALLENGE. */
    static final int TAG_BYTES = 16;

    static final int SESSION_BYTES = NONCE_BYTES + COOKIE_BYTES + Long.BYTES;

    /** The readable bytes of a HELLO: type, version and session, which a server needs before it has the key of the session. */
    static final int READABLE_HELLO_BYTES = 2 + SESSION_BYTES;

    /** The readable bytes of a client's other packets: type and session, by which a server finds the key. */
    static final int READABLE_CLIENT_BYTES = 1 + Integer.BYTES;

    /** The size of a HELLO: at least three times the server's answer, so that the server amplifies nothing. */
    static final int HELLO_BYTES = 256;

    static final int EVENT_BYTES = 21;

    /** The size of a TAKEN, or of a server's BYE, without the type. */
    static final int TAKEN_BYTES = Integer.BYTES + Long.BYTES + 2 * Integer.BYTES;

    /** The maximum size of a packet with its seal. */
    static final int MAX_BYTES = SenderSession.MAX_PACKET_BYTES + PacketSeal.BYTES;

    private static final int MAX_NAME_BYTES = 200;

    private Protocol() {}

    /** Encodes the name of a world, with its length before it. */
    static byte[] name(String world) {
        byte[] name = world.getBytes(StandardCharsets.UTF_8);
        if (name.length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("the name of a world must have at most " + MAX_NAME_BYTES
                    + " bytes of UTF-8, but has " + name.length + ": '" + world + "'");
        }
        return ByteBuffer.allocate(1 + name.length)
                .put((byte) name.length)
                .put(name)
                .array();
    }

    /** Returns the u32 that names a session in its packets. */
    static int id(byte[] session) {
        return ByteBuffer.wrap(session).getInt(NONCE_BYTES);
    }

    static long packetsBefore(byte[] session) {
        return ByteBuffer.wrap(session).getLong(NONCE_BYTES + COOKIE_BYTES);
    }
}
