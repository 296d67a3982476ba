package dev.escapement.physics.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the speed that slow motion chooses, tick by tick. The period is 10 ms; times are in nanoseconds unless named otherwise. */
class DilationTest {

    private static final long MILLI = 1_000_000;

    /** Ticks at the start that never slow time down. */
    private static final int START = 20;

    private static final TimeScale TENTH = new TimeScale(1, 10);

    private final Dilation dilation = new Dilation(TickRate.hertz(100), LateTicks.dilate(TENTH));

    private void ticks(int count, long workMillis) {
        ticks(dilation, count, workMillis);
    }

    private static void ticks(Dilation of, int count, long workMillis) {
        for (int i = 0; i < count; i++) {
            of.ticked(workMillis * MILLI, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"9, 1", "11, 0.90", "14, 0.71", "20, 0.496", "99, 0.1"})
    void shouldFallToTheSpeedThatStepsAllow(long workMillis, double share) {
        ticks(START, workMillis);
        assertThat(dilation.share()).isCloseTo(share, within(0.005));
        assertThat(dilation.costNanos()).isEqualTo(workMillis * MILLI);
    }

    @Test
    void shouldNotFallBelowTheLeastSpeed() {
        ticks(START, 500);
        assertThat(dilation.share()).isBetween(0.1, 0.101);
        Dilation never = new Dilation(TickRate.hertz(100), LateTicks.dilate(TimeScale.ONE));
        ticks(never, START, 20);
        assertThat(never.isSlowed()).isFalse();
    }

    @Test
    void shouldTakeTwoSlowTicksForSpikes() {
        ticks(START, 2);
        ticks(2, 14);
        assertThat(dilation.isSlowed()).isFalse();
        ticks(1, 14);
        assertThat(dilation.share()).as("at once").isCloseTo(0.71, within(0.005));
    }

    /** Two bursts slow time down, because a load could begin like them. */
    @Test
    void shouldSlowDownForALoadButNotForBurstsThatRecur() {
        ticks(START, 2);
        for (int burst = 1; burst <= 5; burst++) {
            ticks(3, 40);
            assertThat(dilation.isSlowed()).as("burst %s", burst).isEqualTo(burst <= 2);
            ticks(27, 2);
            assertThat(dilation.isSlowed()).isFalse();
        }
        ticks(3, 14);
        assertThat(dilation.isSlowed()).isFalse();
        ticks(1, 14);
        assertThat(dilation.share()).as("a longer row than usual").isCloseTo(0.71, within(0.005));
        ticks(200, 14);
        assertThat(dilation.share()).isCloseTo(0.71, within(0.005));
        ticks(2000, 2);
        ticks(3, 40);
        assertThat(dilation.isSlowed()).as("usual long ago").isTrue();
    }

    /** The mean of 20 ticks exceeds the period at the end of each burst: 10 of 20 ms, then 90 of 8 ms. */
    @Test
    void shouldTakeTheMeanOfMoreTicksWhereTheBacklogIsUsual() {
        double least = 1;
        for (int tick = 0; tick < 1000; tick++) {
            dilation.ticked((tick % 100 < 90 ? 8 : 20) * MILLI, 0);
            least = tick < 300 ? 1 : Math.min(least, dilation.share());
        }
        assertThat(least).isGreaterThan(0.97);
        dilation.request(new TimeScale(101, 100));
        ticks(10, 20);
        assertThat(dilation.share()).as("another period").isLessThan(0.6);
    }

    /** 10 ticks late: 0.1 s, or more where ticks are longer. */
    @ParameterizedTest
    @CsvSource({"100, 100", "1000, 100", "30, 333"})
    void shouldAllowAsManyLateTicksAtLowRates(long hertz, long millis) {
        Dilation other = new Dilation(TickRate.hertz(hertz), LateTicks.dilate());
        ticks(other, START, 1);
        assertThat(other.maxLatenessNanos() / MILLI).isEqualTo(millis);
    }

    /** A stall is skipped or caught up with; only lasting load slows time down. */
    @ParameterizedTest
    @CsvSource({"66", "67", "105", "2005"})
    void shouldNotSlowDownAfterAStall(long workMillis) {
        ticks(2 * START, 5);
        for (int i = 0; i < START; i++) {
            dilation.ticked((i == 0 ? workMillis : 5) * MILLI, (workMillis - 10) * MILLI);
            assertThat(dilation.isSlowed()).isFalse();
        }
    }

    /** The first ticks of a program load classes and are slow only once. */
    @Test
    void shouldNotSlowDownBeforeTwentyTicksAreKnown() {
        ticks(START - 1, 50);
        assertThat(dilation.isSlowed()).isFalse();
        ticks(1, 50);
        assertThat(dilation.isSlowed()).isTrue();
    }

    /**
     * The costs rise by 1 ms per tick, from 7 to 12 ms. If the least of the last three, 10 ms, set the speed, the next tick would be late.
     */
    @Test
    void shouldFollowATrendWithoutLag() {
        ticks(START - 5, 7);
        for (long work = 7; work <= 12; work++) {
            ticks(1, work);
        }
        assertThat(dilation.costNanos()).isEqualTo(12 * MILLI);
        dilation.ticked(90 * MILLI, 0);
        assertThat(dilation.costNanos()).as("as far as the trend foretells it").isEqualTo(13 * MILLI);
    }

    /** The times are those that {@link LateTicks#dilate()} promises. */
    @ParameterizedTest
    @CsvSource({"14, 0.1", "25, 0.3", "95, 1.2"})
    void shouldTakeLongerToRecoverFromSlowerMotion(long workMillis, double seconds) {
        ticks(100, workMillis);
        double took = 0;
        while (dilation.isSlowed()) {
            took += 0.01 / dilation.share();
            ticks(1, 2);
        }
        assertThat(took).isBetween(0.7 * seconds, seconds);
    }

    /** The cost has a noise of one percent. */
    @Test
    void shouldSettleAtASpeed() {
        SplittableRandom random = new SplittableRandom(4);
        int changes = 0;
        for (int i = 0; i < 1000; i++) {
            boolean changed = dilation.ticked(14 * MILLI + random.nextLong(140_000), 0);
            changes += i > 100 && changed ? 1 : 0;
        }
        assertThat(changes).isLessThan(5);
        assertThat(dilation.share()).isGreaterThan(0.97 * 10 / 14);
    }

    @Test
    void shouldDrainLatenessOnlyWhileTimeIsSlowed() {
        ticks(START, 14);
        double before = dilation.share();
        dilation.ticked(14 * MILLI, 24 * MILLI);
        assertThat(dilation.share())
                .isCloseTo(10 / (14 + 0.09 + 1), within(0.005))
                .isLessThan(before);
        Dilation light = new Dilation(TickRate.hertz(100), LateTicks.dilate(TENTH));
        for (int i = 0; i < START; i++) {
            assertThat(light.ticked(9 * MILLI, 90 * MILLI)).isFalse();
        }
    }

    /** Other programs take the core for 4 ms in two of five ticks, so a mean of 16 ticks would change with each tick. */
    @Test
    void shouldSettleAtASpeedWhereTheCostVaries() {
        SplittableRandom random = new SplittableRandom(2);
        double sum = 0;
        double changed = 0;
        for (int i = 0; i < 2100; i++) {
            double before = dilation.share();
            dilation.ticked(random.nextInt(5) < 2 ? 15 * MILLI : 11 * MILLI, 0);
            sum += i < 100 ? 0 : dilation.share();
            changed += i < 100 ? 0 : Math.abs(dilation.share() - before);
        }
        assertThat(sum / 2000).isBetween(0.7, 0.75);
        assertThat(changed / 2000).isLessThan(0.015);
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 0.5", "1, 1, 0.71", "2, 1, 0.71", "4, 1, 0.71", "1, 3, 0.3333"})
    void shouldMultiplyWithTheSpeedAskedFor(long numerator, long denominator, double speed) {
        dilation.request(new TimeScale(numerator, denominator));
        ticks(START, 14);
        TimeScale scale = dilation.scale();
        assertThat((double) scale.numerator() / scale.denominator()).isCloseTo(speed, within(0.005));
        assertThat(dilation.pace()).isEqualTo(scale.times(TickRate.hertz(100)));
    }

    @Test
    void shouldJudgeOverloadAtOnceByAnotherSpeed() {
        ticks(START, 14);
        dilation.request(new TimeScale(1, 2));
        assertThat(dilation.scale()).isEqualTo(new TimeScale(1, 2));
        dilation.request(new TimeScale(2, 1));
        assertThat(dilation.share()).isCloseTo(0.355, within(0.005));
    }

    /** A user moves the speed slider while the speed recovers from steps of 95 ms. */
    @ParameterizedTest
    @CsvSource({"1, 2", "1, 1", "11, 10"})
    void shouldRiseFromItsSpeedAfterARequest(long numerator, long denominator) {
        ticks(START, 95);
        ticks(5, 2);
        double before = speed();
        assertThat(before).isBetween(0.111, 0.2);
        dilation.request(new TimeScale(numerator, denominator));
        assertThat(speed() / before).isBetween(0.999, 1.01);
        before = speed();
        ticks(1, 2);
        assertThat(speed() / before).isBetween(1.005, 1.1055);
    }

    private double speed() {
        return (double) dilation.scale().numerator() / dilation.scale().denominator();
    }

    /** Numerator and denominator of the rate are primes whose product almost exceeds a long, so no lower rate can be expressed. */
    @Test
    void shouldClaimNoSpeedThatCannotBeExpressed() {
        Dilation finest = new Dilation(new TickRate(4_294_967_291L, 2_147_483_647L), LateTicks.dilate(TENTH));
        for (int i = 0; i < 100; i++) {
            assertThat(finest.ticked((700 + i) * MILLI, 0)).isFalse();
        }
        assertThat(finest.isSlowed()).isFalse();
        assertThat(finest.share()).isEqualTo(1);
    }

    /**
     * Not each of these rates can be multiplied by millionths. Coarser fractions express all steps of half a percent, so none is left out.
     */
    @ParameterizedTest
    @CsvSource({"2997002997, 50000000, 1, 5", "60000, 1001, 9, 10", "100, 1, 1, 1"})
    void shouldHaveEverySpeedAtAnyUsualRate(long ticks, long seconds, long numerator, long denominator) {
        TickRate rate = new TickRate(ticks, seconds);
        Dilation fine = new Dilation(rate, LateTicks.dilate(TENTH));
        fine.request(new TimeScale(numerator, denominator));
        double askedHertz = rate.inHertz() * numerator / denominator;
        for (int percent = 101; percent < 950; percent += 7) {
            long cost = (long) (percent / 100.0 * 1e9 / askedHertz);
            for (int i = 0; i < 32; i++) {
                fine.ticked(cost, 0);
            }
            assertThat(fine.share() * percent / 100).as("%s %%", percent).isBetween(0.98, 1.0);
            assertThat(fine.pace().inHertz()).isCloseTo(fine.share() * askedHertz, within(1e-9 * askedHertz));
            assertThat(fine.pace()).isEqualTo(fine.scale().times(rate));
        }
    }

    /** Changes are at least 8 ms apart, at 1000 Hz too. Otherwise the 16 pieces of a timeline would reach back only 16 ms. */
    @Test
    void shouldBoundItsChanges() {
        Dilation quick = new Dilation(TickRate.hertz(1000), LateTicks.dilate(TENTH));
        int changes = 0;
        double seconds = 0;
        double changedAt = -1;
        for (int tick = 1; tick <= 20_000; tick++) {
            if (quick.ticked(1_000_000 + (long) (500_000 * Math.sin(tick / 300.0)), 0)) {
                assertThat(seconds - changedAt).as("tick %s", tick).isGreaterThan(0.0079);
                changedAt = seconds;
                changes++;
            }
            seconds += 0.001 / quick.share();
        }
        assertThat(changes).isGreaterThan(100);
    }

    /** If the first ticks ran late, readers would learn a long delay from them, and keep it. */
    @Test
    void shouldSkipAllThatIsLateInTheFirstTicks() {
        ticks(START - 1, 1);
        assertThat(dilation.maxLatenessNanos()).isZero();
        ticks(1, 1);
        assertThat(dilation.maxLatenessNanos()).isEqualTo(100 * MILLI);
        assertThat(new Dilation(TickRate.hertz(100), LateTicks.catchUp(7)).maxLatenessNanos())
                .isEqualTo(7);
    }

    @Test
    void shouldRefuseWhatIsNoPolicy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LateTicks.dilate(new TimeScale(3, 2)))
                .withMessage("the least speed is a share of the requested speed, at most 1, but is 3/2;"
                        + " pass new TimeScale(1, 10), say");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LateTicks.catchUp(-1))
                .withMessageContaining("maxLatenessNanos is -1; pass 0");
        assertThat(LateTicks.dilate().least()).isEqualTo(TENTH);
    }
}
