package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import io.aeron.cluster.service.ClusterClock;
import java.util.concurrent.TimeUnit;

/**
 * The clock of a node for the cluster: nanoseconds since 1970. The machine's clock is read once; from then on the monotonic clock counts,
 * so that the machine's clock may jump.
 *
 * <p>Any thread may call any method.
 *
 * @param aheadNanos how far the cluster's clock is ahead of the monotonic one
 */
record ClusterTime(NanoClock clock, long aheadNanos) implements ClusterClock {

    @Override
    public TimeUnit timeUnit() {
        return TimeUnit.NANOSECONDS;
    }

    @Override
    public long time() {
        return clock.nanoTime() + aheadNanos;
    }
}
