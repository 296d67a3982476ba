package dev.escapement.state.wire.udp;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect. Both sides need the same.
 *
 * <pre>{@code
 * Access access = Access.key(Files.readAllBytes(path));
 * }</pre>
 *
 * <p>A key proves who sent a packet, and that nothing changed it. It does not hide what is sent.
 */
public final class Access {

    /** How long a key is at least, in bytes. */
    public static final int LEAST_KEY_BYTES = 16;

    private static final Access THIS_MACHINE = new Access(null, false);
    private static final Access UNAUTHENTICATED = new Access(null, true);

    /** Null if packets are sent without a seal. */
    final byte @Nullable [] key;

    private final boolean anywhere;

    private Access(byte @Nullable [] key, boolean anywhere) {
        this.key = key;
        this.anywhere = anywhere;
    }

    /**
     * Those who have a key.
     *
     * @param key at least 16 secret bytes; they are copied
     * @return access from any address
     * @throws IllegalArgumentException if the key is shorter
     */
    public static Access key(byte[] key) {
        if (key.length < LEAST_KEY_BYTES) {
            throw new IllegalArgumentException("a key must have at least " + LEAST_KEY_BYTES + " bytes, but has "
                    + key.length + "; draw one at random, 32 bytes are best");
        }
        return new Access(key.clone(), true);
    }

    /**
     * All programs of this machine, and none of another one.
     *
     * @return access on loopback addresses without a key
     */
    public static Access thisMachine() {
        return THIS_MACHINE;
    }

    /**
     * All who can reach the address: they see the world, steer it, and can pretend to be others.
     *
     * @return access from any address without a key
     */
    public static Access unauthenticated() {
        return UNAUTHENTICATED;
    }

    void check(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new UncheckedIOException(
                    "the host '" + address.getHostString() + "' is not known: check its name, or give an address",
                    new UnknownHostException(address.getHostString()));
        }
        if (!anywhere && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "other machines can reach " + address.getAddress().getHostAddress()
                            + ", but there is no key: take Access.key(...) on both sides, an address of this machine such as"
                            + " 127.0.0.1, or Access.unauthenticated() if all may see and steer the world");
        }
    }

    @Override
    public String toString() {
        return key != null ? "Access[key]" : anywhere ? "Access[unauthenticated]" : "Access[this machine]";
    }
}
