package dev.escapement.micrometer;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.search.Search;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Binds the meters of one source to registries. A registry keeps this object in memory, which refers to the source weakly. Whoever reads a
 * meter after the source has ended, or was collected, removes all its meters. Any thread.
 *
 * @param <T> the type of the source
 */
public abstract class SourceMetrics<T> implements MeterBinder, AutoCloseable {

    private final String first;
    private final Tags tags;
    private final WeakReference<T> source;
    private final Predicate<T> hasEnded;
    private final List<Runnable> removals = new ArrayList<>(); // guarded by this

    /** Creates metrics whose meter {@code first} shows whether a registry has another source of these tags. */
    SourceMetrics(String first, Tag[] more, String key, String name, @Nullable T source, Predicate<T> hasEnded) {
        this.first = first;
        tags = Tags.of(more).and(key, name.isEmpty() ? "unnamed" : name);
        this.source = new WeakReference<>(source);
        this.hasEnded = hasEnded;
    }

    /**
     * Registers the meters.
     *
     * @param registry reports them
     * @throws IllegalArgumentException if the registry reports nothing: it is closed, or a composite without an open registry
     * @throws IllegalStateException    if a source that has not ended has the same name and tags there
     */
    @Override
    public final void bindTo(MeterRegistry registry) {
        synchronized (SourceMetrics.class) { // else two threads could bind two sources of one name
            List<MeterRegistry> reporting = reporting(registry).toList();
            if (reporting.isEmpty()) {
                throw new IllegalArgumentException(registry.getClass().getSimpleName()
                        + " is closed, or a composite of no open registry, and reports nothing; bind to an open one");
            }
            if (reporting.stream().anyMatch(this::isTaken)) {
                throw new IllegalStateException("this registry already has " + first + " with " + tags
                        + ", of a source that has not ended; give each source a name of its own, or another tag");
            }
            register(registry); // if the source ends meanwhile, whoever reads a later meter removes the rest
        }
    }

    private static Stream<MeterRegistry> reporting(MeterRegistry registry) {
        Stream<MeterRegistry> all = registry instanceof CompositeMeterRegistry composite
                ? composite.getRegistries().stream().flatMap(SourceMetrics::reporting)
                : Stream.of(registry);
        return all.filter(each -> !registry.isClosed());
    }

    private boolean isTaken(MeterRegistry registry) {
        Search search = registry.find(first).tags(tags);
        // This read removes the meters of a source that has ended.
        search.meters().forEach(meter -> meter.measure().forEach(Measurement::getValue));
        return !search.meters().isEmpty();
    }

    abstract void register(MeterRegistry to);

    /** Returns the source; null once it was collected. */
    @Nullable
    T source() {
        return source.get();
    }

    // Each function below gets this object twice: registries refer to the argument weakly, but to the lambda strongly.

    /** Registers a counter, whose unit is the last word of its name. */
    final void counter(MeterRegistry to, String name, String what, ToDoubleFunction<T> count) {
        FunctionCounter.Builder<?> meter = FunctionCounter.builder(name, this, unused -> read(count, 0));
        keep(to, meter.tags(tags).baseUnit(name.replaceFirst(".*[.]", "")).description(what)::register);
    }

    final void gauge(MeterRegistry to, String name, String what, ToDoubleFunction<T> value) {
        Gauge.Builder<?> meter = Gauge.builder(name, this, unused -> read(value, Double.NaN));
        keep(to, meter.tags(tags).description(what)::register);
    }

    final void time(MeterRegistry to, String name, String what, ToDoubleFunction<T> nanos, String... more) {
        TimeGauge.Builder<?> meter = TimeGauge.builder(name, this, NANOSECONDS, unused -> read(nanos, Double.NaN));
        keep(to, meter.tags(tags.and(more)).description(what)::register);
    }

    private void keep(MeterRegistry to, Function<MeterRegistry, Meter> registration) {
        Meter meter = registration.apply(to);
        whenRemoved(() -> to.remove(meter));
    }

    final synchronized void whenRemoved(Runnable removal) {
        removals.add(removal);
    }

    private double read(ToDoubleFunction<T> value, double withoutSource) {
        T present = source();
        if (present == null || hasEnded.test(present)) {
            close();
        }
        return present == null ? withoutSource : value.applyAsDouble(present);
    }

    /** Removes the meters. Idempotent. */
    @Override
    public final synchronized void close() {
        removals.forEach(Runnable::run);
        removals.clear();
    }
}
