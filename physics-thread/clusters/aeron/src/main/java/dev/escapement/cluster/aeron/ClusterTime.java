package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import io.aeron.cluster.service.ClusterClock;
import java.util.concurrent.TimeUnit;

/**
 * The clock that a node gives to Aeron Cluster, in nanoseconds since 1970. The node reads the machine's clock once, and then counts with
 * the monotonic clock, so that jumps of the machine's clock have no effect.
 *
 * <p>Any thread may call any method.
 *
 * @param aheadNanos this clock minus the monotonic clock
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
