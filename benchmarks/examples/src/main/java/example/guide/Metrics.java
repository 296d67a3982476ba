package example.guide;

import dev.escapement.micrometer.ViewMetrics;
import dev.escapement.micrometer.WorldMetrics;
import dev.escapement.physics.TickingWorld;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Supplier;

/** A world and its picture, measured by Prometheus. */
final class Metrics {

    private Metrics() {}

    /** Returns the page that Prometheus reads: the server's /metrics. */
    static Supplier<String> page(TickingWorld physics, ViewMetrics frames) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new WorldMetrics(physics).bindTo(registry);
        frames.bindTo(registry); // new ViewMetrics("window"), the listener of the RenderLoop
        return registry::scrape;
    }
}
