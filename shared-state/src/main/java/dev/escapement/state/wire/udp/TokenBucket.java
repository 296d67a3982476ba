package dev.escapement.state.wire.udp;

import java.util.concurrent.TimeUnit;

/** Lets so many things pass in a second, and so many at once. One thread. */
final class TokenBucket {

    private final long tokenNanos;
    private final long fullNanos;
    private boolean started;

    /** When the bucket was or will be empty, had tokens flowed in since for ever. */
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

    /** After {@link #has}. */
    void take() {
        emptyNanos += tokenNanos;
    }
}
