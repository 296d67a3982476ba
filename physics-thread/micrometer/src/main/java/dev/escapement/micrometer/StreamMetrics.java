package dev.escapement.micrometer;

import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.SnapshotReceiver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.function.ToDoubleFunction;

/** Meters of a received world, over UDP or Aeron, tagged with the name of its {@code stream}. */
public final class StreamMetrics extends SourceMetrics<SnapshotReceiver> {

    /**
     * Creates the meters of a stream.
     *
     * @param name     tells the stream apart from others of the registry
     * @param receiver what to measure
     * @param tags     further tags of each meter
     */
    public StreamMetrics(String name, SnapshotReceiver receiver, Tag... tags) {
        super("escapement.stream.ticks", tags, "stream", name, receiver, open -> false);
    }

    @Override
    void register(MeterRegistry to) {
        counter(to, "escapement.stream.ticks", "Published ticks", metric(ReceiverMetric.TICKS));
        counter(to, "escapement.stream.filled.ticks", "Predicted ticks", metric(ReceiverMetric.FILLED_TICKS));
        counter(to, "escapement.stream.lost.packets", "Packets that got lost", metric(ReceiverMetric.LOST_PACKETS));
        counter(to, "escapement.stream.refused.packets", "Packets refused", metric(ReceiverMetric.REFUSED_PACKETS));
        counter(to, "escapement.stream.senders", "Senders that began", metric(ReceiverMetric.STREAMS));
        gauge(to, "escapement.stream.clamped.bodies", "Bodies out of range", metric(ReceiverMetric.CLAMPED_BODIES));
        time(to, "escapement.stream.playout", "Wait for late packets", metric(ReceiverMetric.PLAYOUT_NANOS));
        time(to, "escapement.stream.silence", "Time since the last packet", SnapshotReceiver::silentNanos);
    }

    private static ToDoubleFunction<SnapshotReceiver> metric(ReceiverMetric metric) {
        return receiver -> receiver.metric(metric);
    }
}
