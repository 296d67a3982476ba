package dev.escapement.state.wire.udp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The access rule of a connection: who may connect. Both sides need the same rule.
 *
 * <pre>{@code
 * Access access = Access.keyFile(Path.of("world.key"));      // head -c 32 /dev/urandom > world.key
 * }</pre>
 *
 * <p>With a key all packets are encrypted, but for a client's HELLO packets until it has a cookie, and the server's cookies and refusals.
 * Without the key nobody can read, change or repeat an encrypted packet. Draw the key at random; a password is too weak, because others can
 * record packets and try many keys later. Encryption does not hide addresses, amounts and times.
 */
public final class Access {

    private static final int MIN_KEY_BYTES = 16;

    private static final int MAX_FILE_BYTES = 4096;

    private static final Access THIS_MACHINE = new Access(null, false);
    private static final Access UNAUTHENTICATED = new Access(null, true);

    /** The shared key; null if packets are sent without a seal. */
    final byte @Nullable [] key;

    private final boolean anywhere;

    private Access(byte @Nullable [] key, boolean anywhere) {
        this.key = key;
        this.anywhere = anywhere;
    }

    /**
     * {@return access for all that have a key, from any address}
     *
     * @param key at least 16 secret bytes; they are copied
     * @throws IllegalArgumentException if the key is shorter
     */
    public static Access key(byte[] key) {
        checkLength(key.length, "a key");
        return new Access(key.clone(), true);
    }

    /**
     * Creates access for all that have the key in a file. Line ends at the end of the file do not count, so that a file and a variable can
     * hold the same text.
     *
     * @param file a file with at least 16 secret bytes; 32 random ones are best
     * @return access from any address
     * @throws UncheckedIOException     if the file cannot be read
     * @throws IllegalArgumentException if the key is shorter, or the file is longer than 4,096 bytes
     */
    public static Access keyFile(Path file) {
        byte[] key;
        try (var bytes = Files.newInputStream(file)) {
            key = bytes.readNBytes(MAX_FILE_BYTES + 1);
        } catch (IOException e) {
            String why = Files.exists(file) ? e.getMessage() : "there is no such file";
            throw new UncheckedIOException("the key in the file '" + file + "' cannot be read: " + why, e);
        }
        if (key.length > MAX_FILE_BYTES) {
            throw new IllegalArgumentException(
                    "the file '" + file + "' has more than " + MAX_FILE_BYTES + " bytes, so it is no key file");
        }
        return named(key, "the key in the file '" + file + "'");
    }

    /**
     * {@return access for all that have the key in an environment variable, from any address} The key is the variable's text in UTF-8,
     * without line ends at its end.
     *
     * @param environment {@link System#getenv()}
     * @param variable    the name of the variable, whose text has at least 16 bytes
     * @throws IllegalArgumentException if the variable is not set, or its text is shorter
     */
    public static Access keyOf(Map<String, String> environment, String variable) {
        String text = environment.get(variable);
        if (text == null) {
            throw new IllegalArgumentException("the environment variable " + variable + " is not set");
        }
        return named(text.getBytes(StandardCharsets.UTF_8), "the key in the environment variable " + variable);
    }

    private static Access named(byte[] bytes, String what) {
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
            length--;
        }
        checkLength(length, what);
        return new Access(Arrays.copyOf(bytes, length), true);
    }

    private static void checkLength(int length, String what) {
        if (length < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(what + " must have at least " + MIN_KEY_BYTES + " bytes, but has "
                    + length + "; draw one at random, 32 bytes are best");
        }
    }

    /** {@return access for all programs of this machine on loopback addresses, without a key, and for no other machine} */
    public static Access thisMachine() {
        return THIS_MACHINE;
    }

    /** {@return access for all that can reach the address, without a key: they can see and steer the world, and impersonate each other} */
    public static Access unauthenticated() {
        return UNAUTHENTICATED;
    }

    /**
     * Computes the proof that a server with this key wrote the CHALLENGE: an HMAC over the session's nonce and cookie. Empty without a key.
     */
    byte[] tag(byte[] session) {
        byte[] challenge = Arrays.copyOf(session, Protocol.NONCE_BYTES + Protocol.COOKIE_BYTES);
        return key == null
                ? new byte[0]
                : Arrays.copyOf(PacketSeal.hmac(key, PacketSeal.ascii("challenge"), challenge), Protocol.TAG_BYTES);
    }

    /** Returns whether packets may go to an address, and come from it. */
    boolean allows(InetAddress address) {
        return anywhere || address.isLoopbackAddress();
    }

    void check(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new UncheckedIOException(
                    "the host '" + address.getHostString() + "' is not known: check its name, or give an address",
                    new UnknownHostException(address.getHostString()));
        }
        if (!allows(address.getAddress())) {
            throw new IllegalArgumentException(
                    "other machines can reach " + address.getAddress().getHostAddress()
                            + ", but there is no key: use Access.key(...) on both sides, or Access.keyFile(...), an address of"
                            + " this machine such as 127.0.0.1, or Access.unauthenticated() if all may see and steer the world");
        }
    }

    @Override
    public String toString() {
        return key != null ? "Access[key]" : anywhere ? "Access[unauthenticated]" : "Access[this machine]";
    }
}
