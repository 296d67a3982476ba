package dev.escapement.state.wire;

import java.util.concurrent.atomic.AtomicLongArray;

/** Holds the metrics of a receiver. The receiver's thread writes; any thread may read. */
@SuppressWarnings("EnumOrdinal") // the enum's constants are the indices of the array
final class ReceiverMetrics {

    private final AtomicLongArray metrics = new AtomicLongArray(ReceiverMetric.values().length);

    long get(ReceiverMetric metric) {
        return metrics.getOpaque(metric.ordinal());
    }

    void set(ReceiverMetric metric, long value) {
        metrics.setOpaque(metric.ordinal(), value); // opaque suffices: one thread writes, and a metric orders nothing
    }

    void add(ReceiverMetric metric, long count) {
        set(metric, get(metric) + count);
    }
}
