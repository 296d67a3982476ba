package dev.escapement.state.wire.udp;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a server on its clients and their input.
 *
 * <pre>{@code
 * new Limits(8, 200);
 * }</pre>
 *
 * @param clients         the maximum number of clients at a time
 * @param inputsPerSecond the maximum number of input events of a client in a second; at most a fifth of them at once
 */
public record Limits(int clients, int inputsPerSecond) {

    /** The default: 64 clients, 1,000 input events in a second. */
    public static final Limits DEFAULT = new Limits(64, 1000);

    private static final int MAX_CLIENTS = 1024;

    /**
     * Checks the limits.
     *
     * @param clients         the maximum number of clients at a time
     * @param inputsPerSecond the maximum number of input events of a client in a second
     * @throws IllegalArgumentException if a limit is not positive, or there are more than 1,024 clients
     */
    public Limits {
        if (clients < 1 || clients > MAX_CLIENTS || inputsPerSecond < 1) {
            throw new IllegalArgumentException("limits must be positive, and clients at most " + MAX_CLIENTS
                    + ", but are " + clients + " clients, " + inputsPerSecond + " input events in a second");
        }
    }

    /** A token bucket: admits {@code perSecond} events in a second, and {@code burst} at once. One thread. */
    static final class TokenBucket {

        private final long tokenNanos;
        private final long fullNanos;
        private boolean started;

        /** The bucket has one token for each {@link #tokenNanos} from this instant to now. */
        private long emptyNanos;

        TokenBucket(int perSecond, int burst) {
            tokenNanos = Math.max(1, TimeUnit.SECONDS.toNanos(1) / perSecond);
            fullNanos = tokenNanos * burst;
        }

        boolean has(long nowNanos) {
            if (!started || nowNanos - emptyNanos > fullNanos) {
                started = true;
                emptyNanos = nowNanos - fullNanos;
            }
            return nowNanos - emptyNanos >= tokenNanos;
        }

        /** Takes a token. Call it after {@link #has}. */
        void take() {
            emptyNanos += tokenNanos;
        }
    }
}
