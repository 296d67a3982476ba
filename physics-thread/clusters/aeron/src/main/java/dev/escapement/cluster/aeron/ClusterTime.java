package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import io.aeron.cluster.service.ClusterClock;
import java.util.concurrent.TimeUnit;

/**
 * The clock of a node for the cluster: nanoseconds since 1970, as the machine's clock said once, and from then on as the monotonic clock
 * says. So the machine's clock may jump.
 *
 * <p>Any thread may call any method.
 */
final class ClusterTime implements ClusterClock {

    private final NanoClock clock;
    private final long aheadNanos;

    ClusterTime(NanoClock clock, long epochNanos) {
        this.clock = clock;
        aheadNanos = epochNanos - clock.nanoTime();
    }

    @Override
    public TimeUnit timeUnit() {
        return TimeUnit.NANOSECONDS;
    }

    @Override
    public long time() {
        return clock.nanoTime() + aheadNanos;
    }

    /** How far the cluster's clock is ahead of the monotonic one. */
    long aheadNanos() {
        return aheadNanos;
    }
}
