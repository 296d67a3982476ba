package dev.escapement.state.wire.udp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.BitSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals the packets of one session, and opens those of the other side.
 *
 * <pre>{@code
 * seal.seal(packet.flip());              // the packet is 24 bytes longer now
 * Traffic why = seal.open(packet);       // null: as the other side sent it, and for the first time; the seal is cut off
 * }</pre>
 *
 * <p>A seal is a sequence number of 8 bytes, and the first 16 bytes of HMAC-SHA256 over the packet and the number. Each direction of a
 * session has a key of its own, drawn from the shared key and what both sides call the session. Without a shared key there is no seal.
 *
 * <p>Packets are backed by arrays. One thread. The JDK's HMAC allocates its result; nothing else is allocated.
 */
final class PacketSeal {

    /** By how much a sealed packet is longer. */
    static final int BYTES = 24;

    private static final int TAG_BYTES = 16;
    private static final int WINDOW = 1024;
    private static final String ALGORITHM = "HmacSHA256";

    private final @Nullable Mac ownMac;
    private final @Nullable Mac otherMac;
    private final byte[] digest = new byte[32];
    private final byte[] received = new byte[32];

    private long sent;
    private long highest;

    /** For each of the latest numbers up to the highest, at the number modulo the window: whether it has come. */
    private final BitSet seen = new BitSet(WINDOW);

    private PacketSeal(byte @Nullable [] key, byte[] session, long sent, String own, String other) {
        this.sent = sent;
        if (key == null) {
            ownMac = null;
            otherMac = null;
        } else {
            byte[] drawn = hmac(key, ascii("escapement"), session);
            ownMac = mac(hmac(drawn, ascii(own)));
            otherMac = mac(hmac(drawn, ascii(other)));
        }
    }

    /** What a client seals with, from the packet after so many on. */
    static PacketSeal ofClient(byte @Nullable [] key, byte[] session, long sent) {
        return new PacketSeal(key, session, sent, "client", "server");
    }

    /** What a server seals with, from the packet after so many on. */
    static PacketSeal ofServer(byte @Nullable [] key, byte[] session, long sent) {
        return new PacketSeal(key, session, sent, "server", "client");
    }

    /** How many bytes a seal adds. */
    int bytes() {
        return ownMac == null ? 0 : BYTES;
    }

    /** The number of the last packet that was sealed. */
    long sent() {
        return sent;
    }

    /** The highest number of a packet that was opened. */
    long highest() {
        return highest;
    }

    /** Adds a seal behind the limit. */
    void seal(ByteBuffer packet) {
        if (ownMac != null) {
            int end = packet.limit();
            packet.limit(end + BYTES).putLong(end, ++sent);
            tag(ownMac, packet, end + Long.BYTES);
            packet.put(end + Long.BYTES, digest, 0, TAG_BYTES);
        }
    }

    /** Checks the seal and takes it off. Null if it is right; otherwise what is wrong, and the packet is as before. */
    @Nullable
    Traffic open(ByteBuffer packet) {
        if (otherMac == null) {
            return null;
        }
        int end = packet.limit() - BYTES;
        if (end <= packet.position()) {
            return Traffic.MALFORMED;
        }
        long number = packet.getLong(end);
        if (number <= 0) {
            return Traffic.FORGED;
        }
        if (hasSeen(number)) { // first: it costs less than a tag
            return Traffic.REPLAYED;
        }
        tag(otherMac, packet, end + Long.BYTES);
        packet.get(end + Long.BYTES, received, 0, TAG_BYTES);
        System.arraycopy(digest, TAG_BYTES, received, TAG_BYTES, digest.length - TAG_BYTES); // the rest is not sent
        if (!MessageDigest.isEqual(digest, received)) {
            return Traffic.FORGED;
        }
        see(number);
        packet.limit(end);
        return null;
    }

    private boolean hasSeen(long number) {
        return number <= highest && (highest - number >= WINDOW || seen.get((int) (number % WINDOW)));
    }

    /** Any number from 1 to {@link Long#MAX_VALUE}, after which none is higher. */
    private void see(long number) {
        for (long back = Math.min(number - highest, WINDOW) - 1; back > 0; back--) { // those in between have not come
            seen.clear((int) ((number - back) % WINDOW));
        }
        highest = Math.max(highest, number);
        seen.set((int) (number % WINDOW));
    }

    private void tag(Mac mac, ByteBuffer packet, int end) {
        mac.update(packet.array(), packet.arrayOffset() + packet.position(), end - packet.position());
        try {
            mac.doFinal(digest, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " does not fit into " + digest.length + " bytes", e);
        }
    }

    /** HMAC-SHA256 over the parts, one after the other. */
    static byte[] hmac(byte[] key, byte[]... parts) {
        Mac mac = mac(key);
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM + "; every complete JDK has", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
