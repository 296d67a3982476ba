package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.SkippedTicks.Reasons;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.WorldControl;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A period of 10; the machine was away where the test says. */
class SkippedTicksTest {

    private final SkippedTicks ticks = new SkippedTicks();

    @ParameterizedTest
    @CsvSource({
        "11, 35, 0, 0, 2, 0, 0", // took longer than a period
        "11, 35, 14, 33, 0, 2, 0", // was interrupted by the machine
        "28, 32, 5, 28, 0, 2, 0", // was started late by it
        "28, 32, 10, 12, 0, 0, 2" // started late, and the machine was not away
    })
    void shouldSayWhyTheNextTwoTicksWereSkipped(
            long started, long ended, long awayFrom, long awayTo, long slow, long machine, long unexplained) {
        ticks.ticked(2, 10, 10, started, ended);
        ticks.ticked(2, 10, 40, 41, 42);
        assertThat(ticks.reasons(away(awayFrom, awayTo))).isEqualTo(new Reasons(slow, machine, unexplained));
    }

    @Test
    void shouldBlameTheTickBeforeForOneThatCouldNotStartInTime() {
        ticks.ticked(0, 10, 10, 11, 28);
        ticks.ticked(1, 10, 20, 28, 36);
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(1, 0, 0));
        assertThat(ticks.reasons(away(12, 27))).isEqualTo(new Reasons(0, 1, 0));
    }

    /** A tick as long as a period leaves none to the machine, which takes a moment of each of four periods, less than two in all. */
    @Test
    void shouldBlameTheMachineForNoMoreTicksThanFitIntoItsAbsence() {
        long[][] away = new long[4][];
        for (int tick = 0; tick < 4; tick++) {
            long due = 20L * tick;
            ticks.ticked(tick + 1, 10, due, due, due + 12);
            away[tick] = new long[] {due + 3, due + 6};
        }
        assertThat(ticks.reasons(MachineWitness.thatSaw(List.of(away)))).isEqualTo(new Reasons(0, 2, 2));
    }

    /** Ticks start late and take long, the machine is away now and then: the sums are right in all cases. */
    @Test
    void shouldAddUpWhateverHappens() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long period = 1L + random.nextInt(10_000_000);
            SkippedTicks made = new SkippedTicks();
            List<long[]> away = new ArrayList<>();
            long due = random.nextInt(1_000_000);
            long free = due;
            long passed = 0;
            for (int tick = 0; tick < 200; tick++) {
                long started = Math.max(free, due) + (random.nextInt(8) == 0 ? random.nextLong(4 * period) : 0);
                long ended = started + random.nextLong(random.nextInt(8) == 0 ? 4 * period : period);
                if (random.nextInt(4) == 0) {
                    long from = due + random.nextLong(2 * period);
                    away.add(new long[] {from, from + random.nextLong(4 * period)});
                }
                free = ended;
                long skipped = Math.max(0, (ended - due) / period - 1);
                passed += skipped;
                made.ticked(passed, period, due, started, ended);
                due += (1 + skipped) * period;
            }
            MachineWitness witness = MachineWitness.thatSaw(away);
            Reasons reasons = made.reasons(witness);
            double awayNanos = 1e6 * witness.awayMillis();
            assertThat(reasons.total()).as("seed %d", seed).isEqualTo(passed);
            assertThat(reasons.machine() * period).as("seed %d", seed).isLessThan((long) awayNanos + period + 1);
            assertThat(List.of(reasons.slow(), reasons.machine(), reasons.unexplained()))
                    .as("seed %d", seed)
                    .allMatch(part -> part >= 0);
        }
    }

    /** Time stands still for 3 s, and then runs twice as fast: ticks are due every 5 ms, and one takes 7. */
    @Test
    void shouldAskTheWorldHowFastTimeRuns() {
        WorldControl world = (WorldControl) Proxy.newProxyInstance(
                WorldControl.class.getClassLoader(),
                new Class<?>[] {WorldControl.class},
                (proxy, method, arguments) ->
                        method.getName().equals("timeScale") ? TimeScale.of(2) : TickRate.hertz(100));
        ticks.ticked(world, 0, 0, 0, 1_000_000);
        ticks.ticked(world, 0, 3_000_000_000L, 3_000_000_000L, 3_001_000_000L);
        assertThat(ticks.reasons(away()).total()).isZero();
        ticks.ticked(world, 1, 3_005_000_000L, 3_005_000_000L, 3_012_000_000L);
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(1, 0, 0));
        assertThat(ticks.reasons(away(3_005_000_000L, 3_011_000_000L))).isEqualTo(new Reasons(0, 1, 0));
    }

    private static MachineWitness away(long... fromTo) {
        return MachineWitness.thatSaw(fromTo.length == 0 ? List.of() : List.of(fromTo));
    }
}
