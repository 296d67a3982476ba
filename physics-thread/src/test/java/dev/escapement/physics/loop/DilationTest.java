package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The speed that is chosen, tick by tick. All times are in nanoseconds, the period is 10 ms. */
class DilationTest {

    private static final long MILLI = 1_000_000;

    /** Ticks before time may be slowed down. */
    private static final int START = 20;

    private static final TimeScale TENTH = new TimeScale(1, 10);

    private final Dilation dilation = new Dilation(TickRate.hertz(100), TENTH, 3);

    private void ticks(int count, long workMillis) {
        for (int i = 0; i < count; i++) {
            dilation.ticked(workMillis * MILLI, 0, 0);
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
        Dilation never = new Dilation(TickRate.hertz(100), TimeScale.ONE, 3);
        for (int i = 0; i < START; i++) {
            never.ticked(20 * MILLI, 0, 0);
        }
        assertThat(never.isSlowed()).isFalse();
    }

    @Test
    void shouldTakeASlowTickForASpikeAndTwoForOverload() {
        ticks(START, 2);
        ticks(1, 14);
        assertThat(dilation.isSlowed()).isFalse();
        ticks(1, 14);
        assertThat(dilation.share()).as("at once").isCloseTo(0.71, within(0.005));
    }

    @Test
    void shouldTakeTwoOfFiveForSpikesWhileSlowed() {
        ticks(START, 14);
        double before = dilation.share();
        ticks(2, 30);
        assertThat(dilation.share()).isEqualTo(before);
        ticks(1, 30);
        assertThat(dilation.share()).isLessThan(0.5);
    }

    /** The first ticks of a program load classes. */
    @Test
    void shouldNotSlowDownBeforeTwentyTicksAreKnown() {
        ticks(START - 1, 50);
        assertThat(dilation.isSlowed()).isFalse();
        ticks(1, 50);
        assertThat(dilation.isSlowed()).isTrue();
    }

    /** 7, 8, 9, 10, 11: a median of three would say 10, and a tick would come too late. */
    @Test
    void shouldFollowATrendWithoutTheLagOfAMedian() {
        ticks(START - 5, 7);
        for (long work = 7; work <= 11; work++) {
            ticks(1, work);
        }
        assertThat(dilation.costNanos()).isEqualTo(11 * MILLI);
        dilation.ticked(90 * MILLI, 0, 0);
        assertThat(dilation.costNanos()).as("as far as the trend foretells it").isEqualTo(12 * MILLI);
    }

    @Test
    void shouldRiseByAFewPercentATickAtMostAndReachFullSpeed() {
        ticks(START, 14);
        double before = dilation.share();
        int ticks = 0;
        while (dilation.isSlowed()) {
            ticks(1, 2);
            assertThat(dilation.share() / before).isBetween(1.0, 1.0462);
            before = dilation.share();
            ticks++;
        }
        assertThat(ticks).isBetween(9, 13);
        assertThat(dilation.scale()).isEqualTo(TimeScale.ONE);
    }

    /** As {@link LateTicks#dilate()} says. */
    @ParameterizedTest
    @CsvSource({"14, 0.2", "25, 0.4", "95, 1.3"})
    void shouldTakeLongerToRecoverFromSlowerMotion(long workMillis, double seconds) {
        ticks(100, workMillis);
        double took = 0;
        while (dilation.isSlowed()) {
            took += 0.01 / dilation.share();
            ticks(1, 2);
        }
        assertThat(took).isCloseTo(seconds, within(0.2 * seconds));
    }

    /** Frames would show a larger rise as a jump. */
    @Test
    void shouldNeverRiseByMoreThanTenPercentATick() {
        ticks(100, 95);
        while (dilation.isSlowed()) {
            double before = dilation.share();
            ticks(1, 2);
            assertThat(dilation.share() / before).isBetween(1.0, 1.1055);
        }
    }

    /** Noise of a percent. */
    @Test
    void shouldSettleAtASpeed() {
        SplittableRandom random = new SplittableRandom(4);
        int changes = 0;
        for (int i = 0; i < 1000; i++) {
            boolean changed = dilation.ticked(14 * MILLI + random.nextLong(140_000), 0, 0);
            changes += i > 100 && changed ? 1 : 0;
        }
        assertThat(changes).isZero();
        assertThat(dilation.share()).isGreaterThan(0.97 * 10 / 14);
    }

    @Test
    void shouldCatchUpWithWhatIsLateOnlyWhileStepsNearlyTakeATick() {
        ticks(START, 14);
        double before = dilation.share();
        dilation.ticked(14 * MILLI, 0, 8 * MILLI);
        assertThat(dilation.share())
                .isCloseTo(10 / (14 + 0.09 + 1), within(0.005))
                .isLessThan(before);
        Dilation light = new Dilation(TickRate.hertz(100), TENTH, 3);
        for (int i = 0; i < START; i++) {
            assertThat(light.ticked(2 * MILLI, 0, 9 * MILLI)).isFalse();
        }
    }

    @Test
    void shouldNotCountTimeWithoutACoreUnlessItLasts() {
        for (int i = 0; i < 30; i++) {
            dilation.ticked(14 * MILLI, 6 * MILLI, 0);
            assertThat(dilation.isSlowed()).isFalse();
        }
        dilation.ticked(14 * MILLI, 6 * MILLI, 0);
        assertThat(dilation.share()).as("for 31 ticks").isCloseTo(0.71, within(0.005));
    }

    /** Other programs have the core in two of five ticks, for 4 ms: a median of five would be 11 and 15 in turns. */
    @Test
    void shouldSettleAtASpeedWhereTheCostVaries() {
        SplittableRandom random = new SplittableRandom(2);
        double sum = 0;
        double changed = 0;
        for (int i = 0; i < 2100; i++) {
            double before = dilation.share();
            dilation.ticked(random.nextInt(5) < 2 ? 15 * MILLI : 11 * MILLI, 0, 0);
            sum += i < 100 ? 0 : dilation.share();
            changed += i < 100 ? 0 : Math.abs(dilation.share() - before);
        }
        assertThat(sum / 2000).isBetween(0.7, 0.75);
        assertThat(changed / 2000).isLessThan(0.005);
    }

    /** One light tick must not take back what a late one has slowed, or the speed would flutter. */
    @Test
    void shouldChangeLittleWhereCostsAlternate() {
        double changed = 0;
        for (int i = 0; i < 1100; i++) {
            double before = dilation.share();
            dilation.ticked(i % 2 == 0 ? 30 * MILLI : 2 * MILLI, 0, i % 2 == 0 ? 10 * MILLI : 0);
            changed += i < 100 ? 0 : Math.abs(dilation.share() / before - 1);
        }
        assertThat(changed / 1000).isLessThan(0.02);
    }

    @Test
    void shouldSeeTheEndOfALongLoad() {
        ticks(100, 14);
        ticks(7, 2);
        assertThat(dilation.share()).isCloseTo(0.71, within(0.005));
        ticks(12, 2);
        assertThat(dilation.isSlowed()).isFalse();
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

    /** A slider that is moved while the world gets faster again after steps of 95 ms. */
    @ParameterizedTest
    @CsvSource({"99, 100", "1, 2", "1, 1", "101, 100", "11, 10"})
    void shouldGoOnRisingFromItsSpeedWhenAnotherIsAskedFor(long numerator, long denominator) {
        ticks(START, 95);
        ticks(5, 2);
        double before = speed();
        assertThat(before).isBetween(0.111, 0.14);
        dilation.request(new TimeScale(numerator, denominator));
        assertThat(speed() / before).isBetween(0.999, 1.01);
        before = speed();
        ticks(1, 2);
        assertThat(speed() / before).isBetween(1.005, 1.1055);
    }

    private double speed() {
        return (double) dilation.scale().numerator() / dilation.scale().denominator();
    }

    /** At a thousandth of a hertz nothing slower can be expressed. */
    @Test
    void shouldKeepTheSpeedWhereNoSlowerOneExists() {
        Dilation slowest = new Dilation(new TickRate(1, 1000), TENTH, 3);
        for (int i = 0; i < START; i++) {
            slowest.ticked(2_000_000 * MILLI, 0, 0);
        }
        assertThat(slowest.scale()).isEqualTo(TimeScale.ONE);
        assertThat(slowest.pace()).isEqualTo(new TickRate(1, 1000));
        assertThat(slowest.isSlowed()).isFalse();
        assertThat(slowest.share()).isEqualTo(1);
    }

    /** Two primes whose product is nearly the largest: none of the speeds exists, and none may be claimed. */
    @Test
    void shouldClaimNoSpeedThatCannotBeExpressed() {
        Dilation finest = new Dilation(new TickRate(4_294_967_291L, 2_147_483_647L), TENTH, 3);
        for (int i = 0; i < 100; i++) {
            assertThat(finest.ticked((700 + i) * MILLI, 0, 0)).isFalse();
        }
        assertThat(finest.isSlowed()).isFalse();
        assertThat(finest.share()).isEqualTo(1);
    }

    /** A millionth of such a rate cannot be expressed; all steps of half a percent can, and none is left out. */
    @ParameterizedTest
    @CsvSource({
        "59.951, 1, 1",
        "59.9401, 1, 1",
        "59.94005994, 1, 1",
        "59.94005994, 1, 2",
        "59.94005994, 3, 1",
        "59.94005994, 1, 5",
        "60000/1001, 9, 10",
        "144.0013, 1, 1",
        "100, 1, 1"
    })
    void shouldHaveEverySpeedAtAnyUsualRate(String rate, long numerator, long denominator) {
        TickRate ticks = TickRate.parse(rate);
        Dilation fine = new Dilation(ticks, TENTH, 3);
        fine.request(new TimeScale(numerator, denominator));
        double askedHertz = ticks.inHertz() * numerator / denominator;
        for (int percent = 101; percent < 950; percent++) {
            long cost = (long) (percent / 100.0 * 1e9 / askedHertz);
            for (int i = 0; i < 32; i++) {
                fine.ticked(cost, 0, 0);
            }
            assertThat(fine.share() * percent / 100).as("%s %%", percent).isBetween(0.985, 1.0);
            assertThat(fine.pace().inHertz()).isCloseTo(fine.share() * askedHertz, within(1e-9 * askedHertz));
            assertThat(fine.pace()).isEqualTo(fine.scale().times(ticks));
        }
    }

    /** At 1000 Hz: else a timeline would remember 16 ms. */
    @Test
    void shouldBoundItsChanges() {
        Dilation quick = new Dilation(TickRate.hertz(1000), TENTH, 3);
        SplittableRandom random = new SplittableRandom(1);
        double[] changedAt = new double[16];
        int changes = 0;
        double seconds = 0;
        for (int tick = 1; tick <= 100_000; tick++) {
            long work = 1_000_000 + (long) (500_000 * Math.sin(tick / 300.0)) + random.nextLong(200_000);
            if (quick.ticked(work, 0, 0)) {
                double sixteenBefore = changedAt[changes % 16];
                assertThat(changes < 16 || seconds - sixteenBefore > 0.1)
                        .as("tick %s", tick)
                        .isTrue();
                changedAt[changes++ % 16] = seconds;
            }
            seconds += 0.001 / quick.share();
        }
        assertThat(changes).isGreaterThan(1000);
    }

    @Test
    void shouldAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        SplittableRandom random = new SplittableRandom(1);
        long before = threads.getThreadAllocatedBytes(self);
        long nothing = threads.getThreadAllocatedBytes(self) - before;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) { // the virtual machine itself allocates now and then, but not in each of them
            before = threads.getThreadAllocatedBytes(self);
            swing(random);
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(least).isEqualTo(nothing);
    }

    private void swing(SplittableRandom random) {
        for (int i = 0; i < 20_000; i++) {
            dilation.ticked(MILLI + random.nextLong(1 + i % 500 * MILLI / 10), random.nextLong(MILLI), 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 5", "3, 10", "4, 20", "10, 80", "32, 300"})
    void shouldHideWhatWindowsHideOnceThereAreWindows(int windowSize, long hiddenMillis) {
        Dilation some = new Dilation(TickRate.hertz(100), TENTH, windowSize);
        for (int tick = 1; tick < Math.max(windowSize, START); tick++) {
            some.ticked(MILLI, 0, 0);
            assertThat(some.hiddenNanos()).isZero();
        }
        some.ticked(MILLI, 0, 0);
        assertThat(some.hiddenNanos()).isEqualTo(hiddenMillis * MILLI);
    }

    @Test
    void shouldRefuseALeastSpeedThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LateTicks.dilate(new TimeScale(3, 2)))
                .withMessage("the least speed is a share of the requested speed, at most 1, but is 3/2;"
                        + " pass new TimeScale(1, 10), say");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LateTicks.dilate(new TimeScale(0, 1)))
                .withMessage("a time scale must be positive, but is 0/1; to stop time, pause");
        assertThat(LateTicks.dilate().least()).isEqualTo(TENTH);
    }
}
