package dev.escapement.state.wire.udp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals the packets of one session, and opens those of the other side.
 *
 * <pre>{@code
 * seal.seal(packet.flip());              // the packet is 24 bytes longer now
 * Traffic.Count why = seal.open(packet); // null: as the other side sent it, and for the first time; the seal is cut off
 * }</pre>
 *
 * <p>A seal is a sequence number of 8 bytes, and the first 16 bytes of HMAC-SHA256 over the packet and the number. Each direction has a key
 * of its own, drawn from the shared key, the client's nonce and the server's cookie. Without a shared key there is no seal.
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
    private final byte[] computed = new byte[TAG_BYTES];
    private final byte[] received = new byte[TAG_BYTES];

    private long sent;
    private long highest;

    /** A bit for each of the latest numbers up to the highest: whether it has come. */
    private final long[] seen = new long[WINDOW / Long.SIZE];

    private PacketSeal(byte @Nullable [] key, byte[] nonce, byte[] cookie, String own, String other) {
        if (key == null) {
            ownMac = null;
            otherMac = null;
        } else {
            byte[] session = hmac(key, ascii("escapement"), nonce, cookie);
            ownMac = mac(hmac(session, ascii(own)));
            otherMac = mac(hmac(session, ascii(other)));
        }
    }

    static PacketSeal ofClient(byte @Nullable [] key, byte[] nonce, byte[] cookie) {
        return new PacketSeal(key, nonce, cookie, "client", "server");
    }

    static PacketSeal ofServer(byte @Nullable [] key, byte[] nonce, byte[] cookie) {
        return new PacketSeal(key, nonce, cookie, "server", "client");
    }

    /** How many bytes a seal adds. */
    int bytes() {
        return ownMac == null ? 0 : BYTES;
    }

    /** Numbers packets from one on, for who forgets what it has sent when it ends. */
    void beginAfter(long number) {
        sent = number;
    }

    /** Adds a seal behind the limit. */
    void seal(ByteBuffer packet) {
        if (ownMac != null) {
            int end = packet.limit();
            packet.limit(end + BYTES).putLong(end, ++sent);
            tag(ownMac, packet, end + Long.BYTES);
            packet.put(end + Long.BYTES, computed);
        }
    }

    /** Checks the seal and takes it off. Null if it is right; otherwise what is wrong, and the packet is as before. */
    Traffic.@Nullable Count open(ByteBuffer packet) {
        if (otherMac == null) {
            return null;
        }
        int end = packet.limit() - BYTES;
        if (end <= packet.position()) {
            return Traffic.Count.MALFORMED;
        }
        long number = packet.getLong(end);
        if (number <= 0) {
            return Traffic.Count.FORGED;
        }
        if (hasSeen(number)) { // first: it costs less than a tag
            return Traffic.Count.REPLAYED;
        }
        tag(otherMac, packet, end + Long.BYTES);
        packet.get(end + Long.BYTES, received);
        if (!MessageDigest.isEqual(computed, received)) {
            return Traffic.Count.FORGED;
        }
        see(number);
        packet.limit(end);
        return null;
    }

    private boolean hasSeen(long number) {
        return number <= highest
                && (highest - number >= WINDOW || (seen[word(number)] & (1L << number)) != 0); // shifts by number % 64
    }

    private void see(long number) {
        for (long skipped = Math.max(highest + 1, number - WINDOW + 1); skipped <= number; skipped++) {
            seen[word(skipped)] &= ~(1L << skipped);
        }
        highest = Math.max(highest, number);
        seen[word(number)] |= 1L << number;
    }

    private static int word(long number) {
        return (int) (number / Long.SIZE) & (WINDOW / Long.SIZE - 1);
    }

    private void tag(Mac mac, ByteBuffer packet, int end) {
        mac.update(packet.array(), packet.arrayOffset() + packet.position(), end - packet.position());
        try {
            mac.doFinal(digest, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " does not fit into " + digest.length + " bytes", e);
        }
        System.arraycopy(digest, 0, computed, 0, TAG_BYTES);
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
