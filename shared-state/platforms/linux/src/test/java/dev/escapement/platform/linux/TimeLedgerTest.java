package dev.escapement.platform.linux;

import static dev.escapement.platform.linux.PlantedThread.MILLI;
import static dev.escapement.platform.linux.PlantedThread.PERIOD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.platform.linux.PlantedThread.Cause;
import dev.escapement.platform.linux.PlantedThread.Plant;
import dev.escapement.platform.linux.PlantedThread.Taker;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the ledger names exactly the planted causes of lost time, one or two at once. */
class TimeLedgerTest {

    private final List<String> late = new ArrayList<>();
    private final TimeWatch.Listener listener = new TimeWatch.Listener() {
        @Override
        public void late(long tick, long fromNanos, long toNanos, TakenTime taken) {
            late.add(tick + ": " + taken.inMillis());
            assertThat(taken.totalNanos()).isEqualTo(toNanos - fromNanos);
        }
    };

    /** Returns each cause alone, and seven pairs. */
    static Stream<Arguments> causes() {
        return Stream.concat(
                Stream.of(Cause.values()).map(cause -> Arguments.of(cause, cause)),
                Stream.of(
                        Arguments.of(Cause.STEP_RUNS, Cause.CORE_AWAY),
                        Arguments.of(Cause.STEP_SLEEPS, Cause.CORE_AWAY_BEFORE),
                        Arguments.of(Cause.STEP_RUNS, Cause.PAUSE),
                        Arguments.of(Cause.CORE_AWAY, Cause.PAUSE),
                        Arguments.of(Cause.STEP_RUNS, Cause.WOKEN_LATE),
                        Arguments.of(Cause.CORE_AWAY_BEFORE, Cause.WOKEN_LATE),
                        Arguments.of(Cause.PAUSE_BEFORE, Cause.WOKEN_LATE)));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void shouldNameWhoTookTheTime(Cause first, Cause second) {
        for (boolean skips : new boolean[] {true, false}) {
            PlantedThread thread = new PlantedThread(skips);
            TimeLedger ledger = new TimeLedger(thread.counts, listener);
            List<Plant> plants = first == second
                    ? List.of(new Plant(first, 12 * MILLI))
                    : List.of(new Plant(first, 12 * MILLI), new Plant(second, 8 * MILLI));
            for (int tick = 0; tick < 300; tick++) {
                // Causes occur in each third tick, and in many consecutive ticks.
                thread.tick(ledger, tick % 3 == 0 || tick > 200 ? plants : List.of());
            }
            ledger.judgeAll();
            TakenTime lost = ledger.lost();
            assertThat(lost.totalNanos()).isGreaterThan(100 * (skips ? PERIOD : 4 * MILLI));
            assertThat(named(lost)).as(lost.inPercent()).isEqualTo(EnumSet.of(first.taker, second.taker));
            if (first == second) {
                assertThat(part(lost, first.taker))
                        .as("nearly all: %s", lost)
                        .isGreaterThan(lost.totalNanos() * 97 / 100);
            }
        }
    }

    @Test
    void shouldLoseNothingOnTimeOrWhilePaused() {
        PlantedThread thread = new PlantedThread(true);
        TimeLedger ledger = new TimeLedger(thread.counts, listener);
        for (int tick = 0; tick < 100; tick++) {
            thread.tick(ledger, List.of(new Plant(Cause.CORE_AWAY, 7 * MILLI)));
            if (tick == 50) {
                thread.pauseTime(3_000 * MILLI);
            }
        }
        ledger.judgeAll();
        assertThat(ledger.lost()).isEqualTo(TakenTime.NONE);
        assertThat(late).isEmpty();
    }

    /** A tick of 17 ms leaves 3 ms to the next, whose core is away for 2 ms of the 5 ms that it takes then. */
    @Test
    void shouldJudgeTicksWithoutIdleTimeTogether() {
        PlantedThread thread = new PlantedThread(false);
        TimeLedger ledger = new TimeLedger(thread.counts, listener);
        thread.keepsDueTimes = true;
        thread.tick(ledger, List.of());
        thread.tick(ledger, List.of(new Plant(Cause.STEP_RUNS, 15 * MILLI)));
        thread.keepsDueTimes = false;
        thread.tick(ledger, List.of(new Plant(Cause.CORE_AWAY, 2 * MILLI)));
        thread.tick(ledger, List.of()); // its metrics contain the time that was slowed down
        ledger.judgeAll();
        assertThat(late)
                .containsExactly(
                        "2: ticks took too long themselves (17.0 ms), other programs had the core (0.1 ms)",
                        "3: other programs had the core (2.1 ms), ticks took too long themselves (2.0 ms)");
        assertThat(ledger.lost())
                .as("together they took less than enough for themselves")
                .isEqualTo(new TakenTime(0, 1_200_000, 0, 0));
    }

    /** Systems without counts of waiting count only the running time. */
    @Test
    void shouldNotBlameOthersForAnEarlyWait() {
        MetricRing<TickMetric> ring = new MetricRing<>(4, TickMetric.class);
        MetricRing<TickMetric>.Reader rows = ring.newReader();
        TimeLedger ledger = new TimeLedger(new PlantedThread(false).counts, listener);
        addTickInTime(ring, 1, 1, 0, 1);
        addTickInTime(
                ring, 2, 14, 16, 6); // served requests, and waited 8 of 16 ms before it was due; 1 ms may be spinning
        while (rows.next()) {
            ledger.add(rows);
        }
        ledger.judgeAll();
        assertThat(late)
                .containsExactly("2: other programs had the core (9.0 ms), ticks took too long themselves (5.0 ms)");
    }

    private static void addTickInTime(MetricRing<TickMetric> ring, long tick, long took, long waited, long ran) {
        ring.begin();
        ring.set(TickMetric.TICK, tick);
        ring.set(TickMetric.DUE_NANOS, 10 * tick * MILLI);
        ring.set(TickMetric.STARTED_NANOS, 10 * tick * MILLI);
        ring.set(TickMetric.ENDED_NANOS, (10 * tick + took) * MILLI);
        ring.set(TickMetric.PERIOD_NANOS, 10 * MILLI);
        ring.set(TickMetric.WAITED_BEFORE_NANOS, ThreadTimes.NOT_COUNTED);
        ring.set(TickMetric.RAN_BEFORE_NANOS, ThreadTimes.NOT_COUNTED);
        ring.set(TickMetric.WAITED_NANOS, waited * MILLI);
        ring.set(TickMetric.RAN_NANOS, ran * MILLI);
        ring.end();
    }

    @Test
    void shouldReportUnknownTimeWithoutCountsOfWaiting() {
        for (Cause cause : List.of(Cause.STEP_RUNS, Cause.CORE_AWAY, Cause.PAUSE)) {
            PlantedThread thread = new PlantedThread(true);
            thread.countsWaiting = false;
            TimeLedger ledger = new TimeLedger(thread.counts, listener);
            for (int tick = 0; tick < 50; tick++) {
                thread.tick(ledger, List.of(new Plant(cause, 12 * MILLI)));
            }
            ledger.judgeAll();
            Taker expected = cause == Cause.CORE_AWAY ? Taker.UNKNOWN : cause.taker;
            assertThat(named(ledger.lost())).as(cause.name()).containsExactly(expected);
        }
    }

    private static Set<Taker> named(TakenTime lost) {
        return EnumSet.allOf(Taker.class).stream()
                .filter(taker -> part(lost, taker) > lost.totalNanos() / 20)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Taker.class)));
    }

    private static long part(TakenTime lost, Taker taker) {
        return switch (taker) {
            case TICKS -> lost.ticksNanos();
            case OTHERS -> lost.othersNanos();
            case JVM -> lost.jvmNanos();
            case UNKNOWN -> lost.unknownNanos();
        };
    }
}
