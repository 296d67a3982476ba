package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Slice;
import dev.escapement.state.capture.PoseWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs real services under a real storm. The tests check what a run finds, not how fast. */
@Timeout(180)
class StressRunTest {

    private static final Duration SHORT = Duration.ofSeconds(4);

    /** The maximum length of a run. It ends once it has found its planted fault, usually after seconds. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final class StillWorld implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {}
    }

    /**
     * Returns all promises except that of flat memory: on an idle machine it takes a minute to find it broken. {@link GrowthTest} tests how
     * memory is judged.
     */
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
                .filteredOn(check -> check.promise().equals(broken.toString()))
                .hasSize(1)
                .allMatch(check -> check.broken() > 0);
        assertThat(report.held()).isFalse();
        assertThat(report.failure()).matches("after \\d+\\.\\d s, in life \\d+: .+");
    }

    @Test
    void shouldEndAtTheFirstDifferenceAndKeepItsLog() throws IOException {
        AtomicInteger made = new AtomicInteger();
        StressReport report = StressRun.of(() -> {
                    int number = made.incrementAndGet();
                    return new SwingWorld() {
                        @Override
                        public long hash() {
                            return super.hash() + number;
                        }
                    };
                })
                .length(LONG)
                .life(SHORT.dividedBy(8))
                .only(List.of(StormPart.RECORDING))
                .run();
        assertThat(report.lives()).isEqualTo(2); // the second life is the first one whose log is replayed
        assertThat(report.failure()).contains(" s, in life 2: ", Promise.SAME_AGAIN.says());
        Matcher log = Pattern.compile(" in (\\S+\\.esclog)").matcher(report.failure());
        assertThat(log.find()).isTrue();
        delete(Path.of(log.group(1)).resolve("..").normalize());
    }

    /** The run ends once the fifth world was made, so that it does the same on a slow machine: four lives, and one replay. */
    @Test
    void shouldHoldForAChangingWorldThatGoesBack() {
        AtomicInteger made = new AtomicInteger();
        StressRun[] run = new StressRun[1];
        run[0] = StressRun.of(() -> {
            if (made.incrementAndGet() == 5) {
                run[0].end();
            }
            return new SwingWorld();
        });
        StressReport report = run[0].length(LONG)
                .life(SHORT.dividedBy(4))
                .without(StormPart.BUSY, StormPart.GARBAGE)
                .run();
        assertThat(report.failure()).isEmpty();
        assertThat(report.held()).isTrue();
        assertThat(report.leftOut().keySet())
                .contains("memory-flat")
                .isSubsetOf("memory-flat", "blamed"); // "blamed" only if no tick was late
        assertThat(report.lives()).isGreaterThan(1);
        assertThat(report.checks())
                .filteredOn(check -> check.promise().equals(Promise.SAME_AGAIN.toString())
                        || check.promise().equals(Promise.EVENTS_MATCH.toString()))
                .hasSize(2)
                .allMatch(check -> check.checked() > 0);
    }

    @Test
    void shouldHoldForWorldsOfAHost() {
        List<String> ofHosts = List.of("worlds-one-by-one", "worlds-isolated", "worlds-leave");
        StressRun run =
                StressRun.of(SwingWorld::new).length(LONG).worlds(20).without(StormPart.BUSY, StormPart.GARBAGE);
        StressReport report = run.onProgress(soFar -> {
                    if (soFar.neverChecked().stream().noneMatch(ofHosts::contains)) {
                        run.end();
                    }
                })
                .run();
        assertThat(report.failure()).isEmpty();
        assertThat(report.held()).isTrue();
        assertThat(report.checks())
                .filteredOn(check -> ofHosts.contains(check.promise()))
                .hasSize(3)
                .allMatch(check -> check.checked() > 0);
    }

    private static final class FailsInTheTenth extends SwingWorld {
        @Override
        public void step(Tick tick) throws Exception {
            if (tick.number() == 10) {
                throw new IllegalStateException("the tenth");
            }
            super.step(tick);
        }
    }

    /** The run must keep a file with which a user can repeat the failure. */
    @Test
    void shouldReportInWhichTickAWorldFailsAndKeepItsFlight() throws IOException {
        StressReport report = StressRun.of(FailsInTheTenth::new)
                .length(LONG)
                .only(List.of(StormPart.FLIGHT_RECORDER))
                .run();
        assertThat(report.held()).isFalse();
        assertThat(report.failure()).contains("tick 10", "the tenth", "life 1");
        Path flight = Path.of(report.failure().replaceFirst("(?s).*replay ", ""));
        assertThat(InputLog.open(flight).report().orElseThrow().tick()).isEqualTo(10);
        delete(flight.resolve("../..").normalize());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> kept = Files.walk(folder)) {
            for (Path file : kept.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
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
        StressReport report = StressRun.of(StillWorld::new)
                .length(SHORT.dividedBy(8))
                .only(List.of(StormPart.INPUT, StormPart.RECORDING, StormPart.FLIGHT_RECORDER, StormPart.REWIND))
                .run();
        assertThat(report.failure()).isEmpty();
        assertThat(report.leftOut()).containsKeys("recording", "flight-recorder", "rewind", "same-again");
        assertThat(report.parts()).containsExactly(StormPart.INPUT);
    }

    @Test
    void shouldDrawTheSameLivesFromASeed() {
        Set<StormPart> all = EnumSet.allOf(StormPart.class);
        for (int number = 1; number <= 50; number++) {
            LifePlan plan = LifePlan.draw(7, number, all, false, 30);
            assertThat(LifePlan.draw(7, number, all, false, 30)).isEqualTo(plan);
            assertThat(LifePlan.draw(8, number, all, false, 30)).isNotEqualTo(plan);
            assertThat(plan.repeats() && plan.parts().contains(StormPart.REWIND))
                    .isFalse();
            assertThat(LifePlan.draw(7, number, EnumSet.of(StormPart.UDP), true, 30)
                            .parts())
                    .as("chosen parts are in each life")
                    .containsExactly(StormPart.UDP);
        }
    }

    /** A world that leaks memory causes an OutOfMemoryError in any thread that allocates next. */
    @Test
    void shouldReportAnErrorOfTheJvm() {
        AtomicInteger closed = new AtomicInteger();
        StressReport report = StressRun.of(() -> new SwingWorld() {
                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                })
                .length(LONG)
                .only(List.of(StormPart.INPUT))
                .onProgress(soFar -> {
                    throw new InternalError("planted"); // not an OutOfMemoryError, at which JUnit would end its JVM
                })
                .run();
        assertThat(report.failure()).contains("life 1", "InternalError: planted");
        assertThat(closed).hasValue(1);
    }

    @Test
    void shouldLeaveOutAPlantedFaultThatCannotShow() {
        StressReport ofShortLives = StressRun.of(SwingWorld::new)
                .length(LONG)
                .life(SHORT)
                .plant(Promise.MEMORY_FLAT)
                .run();
        assertThat(ofShortLives.leftOut()).containsKey("memory-flat");
        assertThat(ofShortLives.lives()).isZero();
        StressReport without = StressRun.of(SwingWorld::new)
                .without(StormPart.READERS)
                .plant(Promise.WHOLE)
                .run();
        assertThat(without.leftOut()).containsKey("whole");
    }
}
