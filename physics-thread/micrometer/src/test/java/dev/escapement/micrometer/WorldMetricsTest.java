package dev.escapement.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldMetricsTest {

    private final ManualClock clock = new ManualClock(0);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double count(String name) {
        return registry.get(name).functionCounter().count();
    }

    private static List<String> names(MeterRegistry of) {
        return of.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void shouldReportWhatTheWorldCounts() {
        try (InlineDriver driver = Dot.driver("arena", clock)) {
            new WorldMetrics(driver, Tag.of("shard", "4")).bindTo(registry);
            Dot.tick(driver, clock, 3);
            clock.advance(100 * Dot.TICK_NANOS); // 26 ticks run, 74 are skipped
            driver.runDueTicks();
            var unused = driver.execute(tick -> {
                throw new IllegalStateException("on purpose");
            });
            driver.runDueTicks();
            assertThat(count("escapement.ticks")).isEqualTo(29);
            assertThat(count("escapement.skipped.ticks")).isEqualTo(74);
            assertThat(count("escapement.skipped.seconds")).isCloseTo(0.74, within(1e-9));
            assertThat(count("escapement.failed.commands")).isEqualTo(1);
            assertThat(registry.get("escapement.tick.lateness.percentile")
                            .tags("world", "arena", "shard", "4", "phi", "1")
                            .timeGauge()
                            .value())
                    .as("of the first of 100 ticks, in seconds")
                    .isCloseTo(0.99, within(0.01));
        }
    }

    @Test
    void shouldNameMetersAsMicrometerDoes() {
        try (InlineDriver driver = Dot.driver("arena", clock)) {
            new WorldMetrics(driver).bindTo(registry);
            assertThat(names(registry)).hasSize(15).allMatch(name -> name.matches("escapement([.][a-z]+)+"));
            assertThat(registry.get("escapement.slowed.seconds").meter().getId().getBaseUnit())
                    .isEqualTo("seconds");
            assertThat(registry.getMeters())
                    .filteredOn(meter -> meter.getId().getName().startsWith("escapement.tick."))
                    .hasSize(9)
                    .allMatch(meter -> "seconds".equals(meter.getId().getBaseUnit()));
        }
    }

    @Test
    void shouldLeaveTheRegistryAtTheFirstReadAfterTheEnd() {
        InlineDriver driver = Dot.driver("arena", clock);
        new WorldMetrics(driver).bindTo(registry);
        Dot.tick(driver, clock, 5);
        driver.close();
        assertThat(count("escapement.ticks")).isEqualTo(5);
        assertThat(names(registry)).containsExactly("escapement.failed.worlds");
        assertThat(registry.get("escapement.failed.worlds").counter().count()).isZero();
    }

    @Test
    void shouldCountAWorldThatFailed() {
        InlineDriver driver = PhysicsService.builder(new Dot(2)).name("arena").inline(clock);
        new WorldMetrics(driver).bindTo(registry);
        assertThatThrownBy(() -> Dot.tick(driver, clock, 2)).hasMessage("on purpose");
        registry.getMeters().forEach(meter -> meter.measure().forEach(each -> each.getValue()));
        assertThat(registry.get("escapement.failed.worlds").counter().count()).isEqualTo(1);
        driver.close();
    }

    /** A garbage collection is not promised to collect at once, so the test asks for another one until it has. */
    @Test
    void shouldKeepNoWorldInMemory() {
        WeakReference<InlineDriver> world = boundAndDropped();
        Await.until(() -> {
            System.gc();
            return world.get() == null;
        });
        assertThat(registry.get("escapement.speed").gauge().value()).isNaN();
        assertThat(names(registry)).containsExactly("escapement.failed.worlds");
    }

    private WeakReference<InlineDriver> boundAndDropped() {
        InlineDriver driver = Dot.driver("arena", clock);
        new WorldMetrics(driver).bindTo(registry);
        return new WeakReference<>(driver);
    }

    @Test
    void shouldRefuseASecondWorldOfTheNameUntilTheFirstHasEnded() {
        InlineDriver first = Dot.driver("arena", clock);
        try (InlineDriver second = Dot.driver("arena", clock)) {
            new WorldMetrics(first, Tag.of("shard", "1")).bindTo(registry);
            WorldMetrics metrics = new WorldMetrics(second, Tag.of("shard", "1"));
            assertThatThrownBy(() -> metrics.bindTo(registry))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this registry already has escapement.ticks with [tag(shard=1),tag(world=arena)], of a"
                            + " source that has not ended; give each source a name of its own, or another tag");
            new WorldMetrics(second, Tag.of("shard", "2")).bindTo(registry);
            Dot.tick(second, clock, 2);
            first.close();
            assertThatCode(() -> metrics.bindTo(registry)).doesNotThrowAnyException();
            assertThat(registry.get("escapement.ticks")
                            .tag("shard", "1")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseARegistryThatReportsNothing() {
        try (InlineDriver driver = Dot.driver("arena", clock)) {
            WorldMetrics metrics = new WorldMetrics(driver);
            CompositeMeterRegistry composite = new CompositeMeterRegistry();
            assertRefused(metrics, composite, "CompositeMeterRegistry");
            composite.add(registry);
            registry.close();
            assertRefused(metrics, registry, "SimpleMeterRegistry");
            assertRefused(metrics, composite, "CompositeMeterRegistry");
            composite.add(new SimpleMeterRegistry());
            metrics.bindTo(composite);
        }
    }

    private static void assertRefused(WorldMetrics metrics, MeterRegistry registry, String name) {
        assertThatThrownBy(() -> metrics.bindTo(registry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(name
                        + " is closed, or a composite of no open registry, and reports nothing; bind to an open one");
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void shouldLeaveEachRegistryOfAComposite() {
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        CompositeMeterRegistry composite =
                new CompositeMeterRegistry().add(registry).add(new CompositeMeterRegistry().add(other));
        try (InlineDriver driver = Dot.driver("arena", clock);
                InlineDriver same = Dot.driver("arena", clock)) {
            WorldMetrics metrics = new WorldMetrics(driver);
            metrics.bindTo(composite);
            assertThatThrownBy(() -> new WorldMetrics(same).bindTo(other)).hasMessageContaining("tag(world=arena)");
            Dot.tick(driver, clock, 1);
            assertThat(other.get("escapement.ticks").functionCounter().count()).isEqualTo(1);
            metrics.close();
            assertThat(names(registry)).containsExactly("escapement.failed.worlds");
            assertThat(names(other)).containsExactly("escapement.failed.worlds");
            new WorldMetrics(same).bindTo(other);
        }
    }
}
