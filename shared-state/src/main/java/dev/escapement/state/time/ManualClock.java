package dev.escapement.state.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until a test moves it. Any thread may read or move it.
 *
 * <pre>{@code
 * ManualClock clock = new ManualClock(0);
 * clock.advance(10_000_000); // one tick of 100 Hz later
 * }</pre>
 */
public final class ManualClock implements NanoClock {

    private final AtomicLong nanos;

    /**
     * Creates a clock at a given instant.
     *
     * @param startNanos the first instant; any value, even near {@link Long#MAX_VALUE}
     */
    public ManualClock(long startNanos) {
        nanos = new AtomicLong(startNanos);
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    /**
     * Moves the clock forward.
     *
     * @param byNanos the distance
     * @throws IllegalArgumentException if the distance is negative: monotonic clocks never go back
     */
    public void advance(long byNanos) {
        if (byNanos < 0) {
            throw new IllegalArgumentException("a monotonic clock cannot be moved by " + byNanos + " ns");
        }
        nanos.getAndAdd(byNanos);
    }
}
