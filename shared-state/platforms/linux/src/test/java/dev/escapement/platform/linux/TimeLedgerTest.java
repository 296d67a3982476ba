package dev.escapement.platform.linux;

import static dev.escapement.platform.linux.PlantedThread.MILLI;
import static dev.escapement.platform.linux.PlantedThread.PERIOD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.platform.linux.PlantedThread.Cause;
import dev.escapement.platform.linux.PlantedThread.Plant;
import dev.escapement.platform.linux.PlantedThread.Taker;
import java.util.ArrayList;
import java.util.List;
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
            PlantedThread thread = new PlantedThread(skips, listener);
            Plant[] plants = {new Plant(first, 12 * MILLI), new Plant(second, first == second ? 0 : 8 * MILLI)};
            for (int tick = 0; tick < 300; tick++) {
                // Causes occur in each third tick, and in many consecutive ticks.
                thread.tick(tick % 3 == 0 || tick > 200 ? plants : new Plant[0]);
            }
            thread.ledger.judgeAll();
            TakenTime lost = thread.ledger.lost();
            assertThat(lost.totalNanos()).isGreaterThan(100 * (skips ? PERIOD : 4 * MILLI));
            assertThat(named(lost)).as(lost.inPercent()).containsOnly(first.taker, second.taker);
            if (first == second) {
                assertThat(first.taker.nanos(lost))
                        .as("nearly all: %s", lost)
                        .isGreaterThan(lost.totalNanos() * 97 / 100);
            }
        }
    }

    @Test
    void shouldLoseNothingOnTimeOrWhilePaused() {
        PlantedThread thread = new PlantedThread(true, listener);
        for (int tick = 0; tick < 100; tick++) {
            thread.tick(new Plant(Cause.CORE_AWAY, 7 * MILLI));
            if (tick == 50) {
                thread.pauseTime(3_000 * MILLI);
            }
        }
        thread.ledger.judgeAll();
        assertThat(thread.ledger.lost()).isEqualTo(TakenTime.NONE);
        assertThat(late).isEmpty();
    }

    /** A tick of 17 ms leaves 3 ms to the next tick. That tick takes 4 ms, and has no core for 2 ms of them. */
    @Test
    void shouldJudgeTicksWithoutIdleTimeTogether() {
        PlantedThread thread = new PlantedThread(false, listener);
        thread.keepsDueTimes = true;
        thread.tick();
        thread.tick(new Plant(Cause.STEP_RUNS, 15 * MILLI));
        thread.keepsDueTimes = false;
        thread.tick(new Plant(Cause.CORE_AWAY, 2 * MILLI));
        thread.tick(); // this tick's metrics contain the time by which the late tick slowed time down
        thread.ledger.judgeAll();
        assertThat(late)
                .containsExactly(
                        "2: ticks took too long themselves (17.0 ms), no core was free (0.1 ms)",
                        "3: no core was free (2.1 ms), ticks took too long themselves (2.0 ms)");
        assertThat(thread.ledger.lost())
                .as("together they took less than enough for themselves")
                .isEqualTo(new TakenTime(0, 1_200_000, 0, 0));
    }

    /** The thread waits for its core before the tick is due. The ledger takes 1 ms of that time for spinning, the rest for a wait. */
    @Test
    void shouldNotBlameOthersForAnEarlyWait() {
        PlantedThread thread = new PlantedThread(true, listener);
        thread.tick();
        thread.await(5 * MILLI);
        thread.tick(new Plant(Cause.CORE_AWAY, 9 * MILLI));
        thread.ledger.judgeAll();
        assertThat(late).containsExactly("2: no core was free (9.9 ms), ticks took too long themselves (1.2 ms)");
    }

    @Test
    void shouldReportUnknownTimeWithoutCountsOfWaiting() {
        for (Cause cause : List.of(Cause.STEP_RUNS, Cause.CORE_AWAY, Cause.PAUSE)) {
            PlantedThread thread = new PlantedThread(true, listener);
            thread.countsWaiting = false;
            for (int tick = 0; tick < 50; tick++) {
                thread.tick(new Plant(cause, 12 * MILLI));
            }
            thread.ledger.judgeAll();
            Taker expected = cause == Cause.CORE_AWAY ? Taker.UNKNOWN : cause.taker;
            assertThat(named(thread.ledger.lost())).as(cause.name()).containsExactly(expected);
        }
    }

    private static List<Taker> named(TakenTime lost) {
        return Stream.of(Taker.values())
                .filter(taker -> taker.nanos(lost) > lost.totalNanos() / 20)
                .toList();
    }
}
