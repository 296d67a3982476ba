package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.Slice;
import dev.escapement.state.capture.PoseWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real services under a real storm: what a run finds, not how fast. */
@Timeout(180)
class StressRunTest {

    private static final Duration SHORT = Duration.ofSeconds(4);

    /** A run ends when it has found what is planted: seconds before this. */
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Has no bodies. */
    private static final class StillWorld implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {}
    }

    /** Without memory, which needs a minute of a machine at rest: {@link GrowthTest} has what judges it. */
    static Stream<Promise> planted() {
        return Slice.current()
                .of(StressRun.promises().stream()
                        .filter(promise -> promise != Promise.MEMORY_FLAT)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("planted")
    void shouldFindWhatIsPlanted(Promise broken) {
        StressReport report = StressRun.of(SwingWorld::new)
                .length(LONG)
                .life(SHORT)
                .plant(broken)
                .run();
        assertThat(report.checks())
                .filteredOn(check -> check.promise() == broken)
                .allMatch(check -> check.broken() > 0);
        assertThat(report.held()).isFalse();
    }

    @Test
    void shouldHoldForAWorldThatComesAndGoesAndGoesBack() {
        StressReport report = StressRun.of(SwingWorld::new)
                .length(SHORT.multipliedBy(2))
                .life(SHORT.dividedBy(2))
                .without(StormPart.BUSY, StormPart.GARBAGE)
                .run();
        assertThat(report.failure()).isEmpty();
        assertThat(report.held()).isTrue();
        assertThat(report.leftOut()).isEmpty();
        assertThat(report.lives()).isGreaterThan(1);
        assertThat(report.checks())
                .filteredOn(check -> check.promise() == Promise.SAME_AGAIN || check.promise() == Promise.EVENTS_MATCH)
                .allMatch(check -> check.checked() > 0);
    }

    @Test
    void shouldReportInWhichTickAWorldFails() {
        StressReport report = StressRun.of(() -> new SwingWorld() {
                    @Override
                    public void step(Tick tick) throws Exception {
                        if (tick.number() == 10) {
                            throw new IllegalStateException("the tenth");
                        }
                        super.step(tick);
                    }
                })
                .length(SHORT)
                .without(StormPart.REWIND)
                .run();
        assertThat(report.held()).isFalse();
        assertThat(report.failure()).contains("tick 10", "the tenth", "life 1");
    }

    @Test
    void shouldRefuseAWorldThatCannotBeMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StressRun.of(() -> {
                            throw new IllegalStateException("no licence");
                        })
                        .run())
                .withMessageContaining("no licence");
    }

    @Test
    void shouldSayWhatAWorldCannotDo() {
        StressReport report = StressRun.of(StillWorld::new).length(SHORT).run();
        assertThat(report.failure()).isEmpty();
        assertThat(report.leftOut()).containsOnlyKeys("recording", "flight-recorder", "rewind", "bodies");
    }

    @Test
    void shouldDrawTheSameLivesFromASeed() {
        for (int number = 1; number <= 50; number++) {
            LifePlan plan = LifePlan.draw(7, number, EnumSet.allOf(StormPart.class), 30);
            assertThat(LifePlan.draw(7, number, EnumSet.allOf(StormPart.class), 30))
                    .isEqualTo(plan);
            assertThat(LifePlan.draw(8, number, EnumSet.allOf(StormPart.class), 30))
                    .isNotEqualTo(plan);
            assertThat(plan.repeats() && plan.has(StormPart.REWIND)).isFalse();
        }
    }
}
