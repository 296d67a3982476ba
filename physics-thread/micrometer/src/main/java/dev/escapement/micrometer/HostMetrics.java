package dev.escapement.micrometer;

import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.host.WorldLoad;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.function.ToDoubleFunction;

/**
 * Meters of a host, tagged with its name as {@code host}: sums and extremes over its worlds, however many there are. {@link WorldMetrics}
 * has the meters of one world.
 */
public final class HostMetrics extends SourceMetrics<PhysicsHost> {

    /**
     * Creates the meters of a host.
     *
     * @param name tells the host apart from others of the registry
     * @param host what to measure
     * @param tags further tags of each meter
     */
    public HostMetrics(String name, PhysicsHost host, Tag... tags) {
        super("escapement.host.worlds", tags, "host", name, host, open -> false);
    }

    @Override
    void register(MeterRegistry to) {
        gauge(to, "escapement.host.worlds", "Worlds that have not ended", sum(load -> 1));
        gauge(to, "escapement.host.slow.worlds", "Worlds over their budget", sum(load -> load.isOverBudget() ? 1 : 0));
        gauge(to, "escapement.host.utilisation", "Cores that the worlds need", sum(WorldLoad::utilisation));
        time(to, "escapement.host.slack", "Least wait for the next due time", HostMetrics::slackNanos);
    }

    private static double slackNanos(PhysicsHost of) {
        return of.loads().stream().mapToDouble(WorldLoad::slackNanos).min().orElse(0);
    }

    private static ToDoubleFunction<PhysicsHost> sum(ToDoubleFunction<WorldLoad> number) {
        return host -> host.loads().stream().mapToDouble(number).sum();
    }
}
