package dev.escapement.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.state.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class HostMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double value(String name) {
        return registry.get("escapement.host." + name)
                .tag("host", "games")
                .gauge()
                .value();
    }

    @Test
    void shouldReportTheWorldsThatAreThere() {
        try (PhysicsHost host = PhysicsHost.builder().threads(1).start()) {
            new HostMetrics("games", host).bindTo(registry);
            assertThat(value("worlds")).isZero();
            assertThat(value("slack")).isZero();
            PhysicsService first = host.add(PhysicsService.builder(new Dot(Long.MAX_VALUE)));
            PhysicsService second = host.add(PhysicsService.builder(new Dot(Long.MAX_VALUE)));
            assertThat(value("worlds")).isEqualTo(2);
            Await.until(() -> value("slack") != 0);
            Await.until(() -> value("utilisation") > 0);
            first.close();
            assertThat(value("worlds")).isEqualTo(1);
            second.close();
            assertThat(value("utilisation")).isZero();
        }
    }
}
