package dev.escapement.state.wire.udp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.BitSet;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts this side's packets of one session, and opens the other side's packets.
 *
 * <pre>{@code
 * seal.seal(packet.flip());              // the packet is 24 bytes longer now, and cannot be read
 * Traffic why = seal.open(packet);       // null: it is authentic and not repeated, and can be read again
 * }</pre>
 *
 * <p>AES-GCM with a key of 256 bits (NIST SP 800-38D). The type of a packet, and the session in a client's packet, stay readable, but no
 * byte can be changed unnoticed. The tag (16 bytes) and the packet's number (8 bytes) follow the packet.
 *
 * <p>No nonce is used twice with one key. Each direction of a session has a key of its own, derived from the shared key and the session;
 * the nonce is the packet's number, which only increases. Without a shared key there is no seal.
 *
 * <p>Packets are backed by arrays. One thread. The JDK allocates about 1 kB for each packet; nothing else is allocated.
 */
final class PacketSeal {

    static final int BYTES = 24;

    private static final int TAG_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int WINDOW = 1024;
    private static final String HMAC = "HmacSHA256";
    private static final String CIPHER = "AES/GCM/NoPadding";

    private final @Nullable SecretKeySpec ownKey;
    private final @Nullable SecretKeySpec otherKey;

    private final boolean isClient;

    /** The cipher; null without a shared key, like the two keys. */
    private final @Nullable Cipher cipher;

    private final byte[] nonce = new byte[NONCE_BYTES];

    /** The output of the cipher. Not the packet, because a refused packet must not change, and input and output must not overlap. */
    private final byte[] written;

    private long sent;
    private long opened;
    private long highest;

    /** Which of the latest {@link #WINDOW} packet numbers were received. Index: the number modulo {@code WINDOW}. */
    private final BitSet seen = new BitSet(WINDOW);

    private PacketSeal(byte @Nullable [] key, byte[] session, long sent, boolean isClient) {
        this.sent = sent;
        this.isClient = isClient;
        String own = isClient ? "client" : "server";
        String other = isClient ? "server" : "client";
        byte[] drawn = key == null ? null : hmac(key, ascii("escapement"), session);
        ownKey = drawn == null ? null : new SecretKeySpec(hmac(drawn, ascii(own)), "AES");
        otherKey = drawn == null ? null : new SecretKeySpec(hmac(drawn, ascii(other)), "AES");
        cipher = drawn == null ? null : cipher();
        written = new byte[drawn == null ? 0 : Protocol.MAX_BYTES];
    }

    /** Creates the seal of a client that has sent {@code sent} packets. */
    static PacketSeal ofClient(byte @Nullable [] key, byte[] session, long sent) {
        return new PacketSeal(key, session, sent, true);
    }

    /** Creates the seal of a server that has sent {@code sent} packets. */
    static PacketSeal ofServer(byte @Nullable [] key, byte[] session, long sent) {
        return new PacketSeal(key, session, sent, false);
    }

    int bytes() {
        return ownKey == null ? 0 : BYTES;
    }

    /** Returns the number of the last packet that was sealed. */
    long sent() {
        return sent;
    }

    /** Returns the number of the last packet that was opened; 0 without a key. */
    long opened() {
        return opened;
    }

    /** Returns the highest number of a packet that was opened. */
    long highest() {
        return highest;
    }

    /** Encrypts a packet from its position to its limit, and appends the tag and the packet's number. */
    void seal(ByteBuffer packet) {
        if (ownKey != null) {
            int begin = packet.position() + readableBytes(packet, packet.remaining(), isClient);
            int length = packet.limit() - begin;
            int sealed = crypt(Cipher.ENCRYPT_MODE, ownKey, ++sent, packet, begin, length);
            packet.limit(begin + sealed + Long.BYTES)
                    .put(begin, written, 0, sealed)
                    .putLong(begin + sealed, sent);
        }
    }

    /** Checks and decrypts a packet. Returns null if it is valid; otherwise the reason, and the packet is unchanged. */
    @Nullable
    Traffic open(ByteBuffer packet) {
        if (otherKey == null) {
            return null;
        }
        int end = packet.limit() - BYTES;
        if (end <= packet.position() || packet.remaining() > Protocol.MAX_BYTES) {
            return Traffic.MALFORMED;
        }
        int begin = packet.position() + readableBytes(packet, end - packet.position(), !isClient);
        long number = packet.getLong(end + TAG_BYTES);
        if (number <= 0) {
            return Traffic.FORGED;
        }
        if (hasSeen(number)) { // checked before the tag, because it costs less
            return Traffic.REPLAYED;
        }
        int length = crypt(Cipher.DECRYPT_MODE, otherKey, number, packet, begin, end + TAG_BYTES - begin);
        if (length < 0) {
            return Traffic.FORGED;
        }
        see(number);
        packet.put(begin, written, 0, length).limit(end);
        return null;
    }

    /** Returns how many of the first {@code bytes} stay readable: the receiver needs them before it has the session's key. */
    private static int readableBytes(ByteBuffer packet, int bytes, boolean ofClient) {
        boolean isHello = packet.get(packet.position()) == Protocol.HELLO;
        int readable = ofClient ? Protocol.READABLE_CLIENT_BYTES : 1;
        return Math.min(isHello ? Protocol.READABLE_HELLO_BYTES : readable, bytes);
    }

    /** Encrypts or decrypts into {@link #written}. Returns the number of bytes; -1 if the tag is wrong. */
    private int crypt(int mode, SecretKeySpec key, long number, ByteBuffer packet, int begin, int length) {
        byte[] bytes = packet.array();
        int readable = packet.arrayOffset() + packet.position();
        int from = packet.arrayOffset() + begin;
        ByteBuffer.wrap(nonce).putLong(NONCE_BYTES - Long.BYTES, number);
        try {
            Cipher by = Objects.requireNonNull(cipher);
            by.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
            by.updateAAD(bytes, readable, from - readable);
            return by.doFinal(bytes, from, length, written, 0);
        } catch (AEADBadTagException e) {
            return -1;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed with packet " + number + " of " + length + " bytes", e);
        }
    }

    private boolean hasSeen(long number) {
        return number <= highest && (highest - number >= WINDOW || seen.get((int) (number % WINDOW)));
    }

    /** Marks a number as received. Numbers are from 1 to {@link Long#MAX_VALUE}. */
    private void see(long number) {
        // Clears skipped numbers, which were not received.
        for (long back = Math.min(number - highest, WINDOW) - 1; back > 0; back--) {
            seen.clear((int) ((number - back) % WINDOW));
        }
        opened = number;
        highest = Math.max(highest, number);
        seen.set((int) (number % WINDOW));
    }

    static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + HMAC + "; every complete JDK has", e);
        }
    }

    private static Cipher cipher() {
        try {
            return Cipher.getInstance(CIPHER);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + CIPHER + "; every complete JDK has", e);
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
