package dev.escapement.micrometer;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.Distribution;
import dev.escapement.physics.simulation.PhysicsStats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Meters of a service or a driver, tagged with its name as {@code world}: {@code unnamed} if it has none.
 *
 * <pre>{@code
 * new WorldMetrics(physics).bindTo(registry);
 * }</pre>
 *
 * <p>A reader of a meter waits for no tick. The meters leave the registry at the first read after the end of the world, before a registry
 * that reads meter by meter has read all. {@code escapement.failed.worlds} stays, and counts worlds that have failed.
 */
public final class WorldMetrics extends SourceMetrics<TickingWorld> {

    /** The reported percentiles, with the values of Micrometer's tag. */
    private static final Map<String, Integer> PERCENTILES = Map.of("0.5", 50, "0.99", 99, "1", 100);

    /**
     * Creates the meters of a world.
     *
     * @param world what to measure
     * @param tags  further tags of each meter
     */
    public WorldMetrics(TickingWorld world, Tag... tags) {
        super("escapement.ticks", tags, "world", world.name(), world, TickingWorld::hasEnded);
    }

    @Override
    void register(MeterRegistry to) {
        ToDoubleFunction<PhysicsStats> ticks = of -> of.stepNanos().count();
        counter(to, "escapement.ticks", "Ticks that ran", stats(ticks));
        times(to, "lateness", "From the due time of a tick to its start", PhysicsStats::latenessNanos);
        times(to, "step", "From the start of a tick to the end of its step", PhysicsStats::stepNanos);
        times(to, "publish", "From the due time of a tick to its publish", PhysicsStats::publishDelayNanos);
        gauge(to, "escapement.speed", "Speed of time, a share of the requested speed", stats(PhysicsStats::speed));
        counter(to, "escapement.skipped.ticks", "Skipped due times", TickingWorld::skippedTicks);
        counter(to, "escapement.skipped.seconds", "Skipped time", of -> of.skippedNanos() / 1e9);
        counter(to, "escapement.slowed.seconds", "Time that slow motion added", of -> of.slowedNanos() / 1e9);
        counter(to, "escapement.rollbacks", "Times that ticks were re-simulated", stats(PhysicsStats::rollbacks));
        counter(to, "escapement.resimulated.ticks", "Re-simulated", stats(PhysicsStats::resimulatedTicks));
        counter(to, "escapement.dropped.inputs", "Input that was too late", stats(PhysicsStats::droppedLateInputs));
        counter(to, "escapement.refused.commands", "Commands for a full queue", TickingWorld::refusedCommands);
        counter(to, "escapement.failed.commands", "Commands and queries that threw", TickingWorld::failedCommands);
        counter(to, "escapement.quarantined.poses", "Values that were not finite", TickingWorld::quarantinedPoses);
        Counter.Builder failures = Counter.builder("escapement.failed.worlds").baseUnit("worlds");
        Counter failed = failures.description("Worlds that have failed").register(to); // stays: not of this world alone
        whenRemoved(() ->
                Optional.ofNullable(source()).flatMap(TickingWorld::failure).ifPresent(why -> failed.increment()));
    }

    private static ToDoubleFunction<TickingWorld> stats(ToDoubleFunction<PhysicsStats> number) {
        return of -> number.applyAsDouble(of.stats());
    }

    private void times(MeterRegistry to, String name, String what, Function<PhysicsStats, Distribution> times) {
        String all = "escapement.tick." + name + ".percentile";
        PERCENTILES.forEach((share, percent) ->
                time(to, all, what, stats(of -> times.apply(of).percentile(percent)), "phi", share));
    }
}
