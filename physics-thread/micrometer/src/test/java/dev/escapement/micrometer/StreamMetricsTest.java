package dev.escapement.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StreamMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void shouldReportWhatAReceiverCounts() {
        SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> 0);
        new StreamMetrics("arena", receiver).bindTo(registry);
        receiver.packet(ByteBuffer.allocate(3), 0);
        assertThat(registry.get("escapement.stream.refused.packets")
                        .tag("stream", "arena")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("escapement.stream.ticks").functionCounter().count())
                .isZero();
        assertThat(registry.get("escapement.stream.silence").timeGauge().value())
                .isZero();
        assertThat(registry.getMeters()).hasSize(8);
    }
}
