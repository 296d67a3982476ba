package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.escapement.physics.Internals;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.state.time.TimeScale;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a viewer sees while steps take longer than a tick: 100 Hz, 144 frames a second. */
class OverloadTest {

    private static final double MAX_MEAN = 0.002;
    private static final double MAX_P99 = 0.01;

    /** In milliseconds, with noise that is the same in each run. */
    private static OverloadRun.Load millis(DoubleUnaryOperator ofSecond) {
        return (tick, seconds) -> {
            double noise = Math.abs(new SplittableRandom(tick * 7919).nextDouble() - 0.5) / 5;
            return (long) ((ofSecond.applyAsDouble(seconds) + noise) * OverloadRun.MILLI);
        };
    }

    private static OverloadRun run(DoubleUnaryOperator ofSecond) {
        return OverloadRun.of(LateTicks.dilate(), millis(ofSecond));
    }

    private static boolean isWithin(double seconds, double from, double to) {
        return seconds >= from && seconds < to;
    }

    @ParameterizedTest
    @CsvSource({"11, 3", "14, 3", "20, 3", "50, 3", "11, 2", "14, 2", "20, 2", "14, 4", "20, 10"})
    void shouldRunEvenlyAtTheSpeedThatStepsAllow(double stepMillis, int windowSize) {
        try (OverloadRun run =
                OverloadRun.of(LateTicks.dilate(), 100, windowSize, 144, millis(seconds -> stepMillis))) {
            Unevenness seen = run.until(12).from(2);
            assertThat(seen.mean()).as(seen.toString()).isLessThan(MAX_MEAN);
            assertThat(seen.p99()).as(seen.toString()).isLessThan(MAX_P99);
            assertThat(seen.speed()).isGreaterThan(0.97 * 10 / stepMillis);
            assertThat(run.driver.realTimeFactor()).isCloseTo(seen.speed(), within(0.01));
            assertThat(run.driver.skippedNanos())
                    .as("before twenty ticks are known")
                    .isLessThan((long) (20 * (stepMillis - 9) * OverloadRun.MILLI));
        }
    }

    /** In milliseconds, again and again. */
    private static OverloadRun.Load cycle(String millis) {
        double[] each =
                Stream.of(millis.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return (tick, seconds) -> (long) (each[(int) (tick % each.length)] * OverloadRun.MILLI);
    }

    /** Steps of 2 ms in a container that gets no core in 40 of each 100 ms. */
    private static long withQuota(long tick, double seconds) {
        double ofPeriod = (seconds * 1000) % 100;
        double stepMillis = ofPeriod > 58 ? 100 - ofPeriod + Math.max(0, 2 - Math.max(0, 60 - ofPeriod)) : 2;
        return (long) (stepMillis * OverloadRun.MILLI);
    }

    static Stream<Arguments> unevenLoads() {
        return Stream.of(
                arguments("2/16", cycle("2 16"), 4, 14.5),
                arguments("5 x 2, 30", cycle("2 2 2 2 2 30"), 5, 28.5),
                arguments("3 x 2, 25", cycle("2 2 2 25"), 5, 23.5),
                arguments("9 x 2, 60", cycle("2 2 2 2 2 2 2 2 2 60"), 8, 58.5),
                arguments("9 x 3, 20", cycle("3 3 3 3 3 3 3 3 3 20"), 4, 17.5),
                arguments("quota", (OverloadRun.Load) OverloadTest::withQuota, 6, 38.5));
    }

    /** They fit on average. The advice of a run with windows of 3 makes the next run even. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("unevenLoads")
    void shouldNotSlowDownForUnevenStepsAndNameTheWindowThatHidesThem(
            String name, OverloadRun.Load load, int windowSize, double spreadMillis) {
        try (OverloadRun small = OverloadRun.of(LateTicks.dilate(), load);
                OverloadRun large = OverloadRun.of(LateTicks.dilate(), 100, windowSize, 144, load)) {
            long holds = large.until(2).clock.holds();
            Unevenness hidden = large.until(12).from(2);
            assertThat(small.until(8).from(2).speed()).isGreaterThan(0.98);
            assertThat(small.driver.stats().windowAdvice())
                    .startsWith("Steps vary by ")
                    .endsWith(
                            "windows of %d snapshots would hide it: windowSize(%d)".formatted(windowSize, windowSize));
            assertThat(small.reader.window().advice())
                    .isEqualTo(small.driver.stats().windowAdvice());
            assertThat(small.driver.stats().toString())
                    .endsWith(small.driver.stats().windowAdvice());
            assertThat(hidden.mean()).as(hidden.toString()).isLessThan(MAX_MEAN);
            assertThat(hidden.speed()).isGreaterThan(0.98);
            assertThat(large.clock.holds()).isEqualTo(holds);
            assertThat(large.driver.stats().windowAdvice()).isEmpty();
            assertThat(large.clock.interpolationDelayNanos() + 10 * OverloadRun.MILLI)
                    .as("age: spread and 15 ms")
                    .isLessThan((long) ((spreadMillis + 15) * OverloadRun.MILLI));
            assertThat(Internals.loop(large.driver).schedule.account.slowedNanos())
                    .isZero();
        }
    }

    /** Lognormal, with a mean of 8 ms. */
    @ParameterizedTest
    @CsvSource({"0.5, 1, 0.98", "0.5, 2, 0.98", "0.8, 1, 0.93", "0.8, 3, 0.93"})
    void shouldSlowDownLittleWhereStepsVaryAtRandom(double sigma, long seed, double speed) {
        OverloadRun.Load load = (tick, seconds) -> {
            double gauss = new Random(new SplittableRandom(tick * 7919 + seed).nextLong()).nextGaussian();
            return (long) (8 * Math.exp(sigma * gauss - sigma * sigma / 2) * OverloadRun.MILLI);
        };
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), 100, 10, 144, load)) {
            Unevenness seen = run.until(30).from(2);
            assertThat(seen.speed()).as(seen.toString()).isGreaterThan(speed);
            assertThat(seen.mean()).as(seen.toString()).isLessThan(sigma < 0.6 ? 0.03 : 0.1);
        }
    }

    @ParameterizedTest
    @CsvSource({"60, 20, 0.83", "1000, 1.4, 0.71", "20, 70, 0.71"})
    void shouldDoSoAtAnyRate(int hertz, double stepMillis, double speed) {
        OverloadRun.Load load = (tick, seconds) -> (long) (stepMillis * OverloadRun.MILLI);
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), hertz, 3, 144, load)) {
            Unevenness seen = run.until(12).from(2);
            assertThat(seen.mean()).as(seen.toString()).isLessThan(MAX_MEAN);
            assertThat(seen.speed()).isGreaterThan(0.97 * speed);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 8})
    void shouldSlowDownWithARampWithoutAJump(double lowMillis) {
        DoubleUnaryOperator ramp =
                seconds -> lowMillis + (14 - lowMillis) * Math.min(1, Math.max(0, 2 * (seconds - 4)));
        try (OverloadRun run = run(ramp)) {
            Unevenness seen = run.until(8).from(2);
            assertThat(seen.jumps()).as(seen.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 8})
    void shouldBeReadyForAJumpInASixthOfASecondAndForItsEndWithoutAJump(double lowMillis) {
        try (OverloadRun run = run(seconds -> isWithin(seconds, 4, 7) ? 14 : lowMillis)) {
            run.until(12);
            Unevenness onset = run.between(2, 6.9);
            assertThat(onset.standing()).as(onset.toString()).isLessThanOrEqualTo(3);
            assertThat(onset.jumps()).allMatch(at -> at < 4.17);
            Unevenness end = run.from(6.9);
            assertThat(end.jumps()).as(end.toString()).isEmpty();
            assertThat(end.lastUnreal()).as("real time again").isLessThan(8);
        }
    }

    /** From the end of the last heavy step on. */
    @ParameterizedTest
    @CsvSource({"14, 3, 0.25", "25, 3, 0.45", "50, 3, 0.65", "95, 3, 1.16", "14, 2, 0.25", "25, 2, 0.45", "50, 2, 0.65"
    })
    void shouldBeReadyForRealTimeSoonAfterALoad(double stepMillis, int windowSize, double seconds) {
        OverloadRun.Load load = millis(second -> isWithin(second, 4, 9) ? stepMillis : 2);
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), 100, windowSize, 144, load)) {
            Unevenness end = run.until(22).from(8.9);
            assertThat(end.lastUnreal()).as(end.toString()).isLessThan(9 + seconds);
            if (windowSize > 2 && stepMillis < 95) {
                assertThat(end.jumps()).as(end.toString()).isEmpty();
            }
        }
    }

    /** A window of 10 hides most of what such steps vary by. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldNotRunSlowerThanSkipWithStepsThatVaryMuch(int seed) {
        OverloadRun.Load load = (tick, seconds) -> {
            double uniform =
                    new SplittableRandom(new SplittableRandom(tick * 7919 + seed * 1_000_003L).nextLong()).nextDouble();
            return (long) (-8 * Math.log(1 - uniform) * OverloadRun.MILLI); // exponential, with a mean of 8 ms
        };
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), 100, 10, 144, load);
                OverloadRun skipped = OverloadRun.of(LateTicks.catchUp(0), 100, 10, 144, load)) {
            double speed = run.until(22).from(2).speed();
            assertThat(speed).isGreaterThan(1.2 * skipped.until(22).from(2).speed());
            assertThat(run.from(2).mean()).isLessThan(0.7 * skipped.from(2).mean());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 8})
    void shouldNotTakeSpikesForOverload(long stepMillis) {
        OverloadRun.Load load = (tick, seconds) -> (tick % 100 == 0 ? 25 : stepMillis) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load);
                OverloadRun skipped = OverloadRun.of(LateTicks.catchUp(0), load)) {
            Unevenness seen = run.until(12).from(2);
            assertThat(seen.speed()).isGreaterThan(skipped.until(12).from(2).speed());
            assertThat(seen.mean()).isLessThan(skipped.from(2).mean());
            assertThat(Internals.loop(run.driver).schedule.isSlowed()).isFalse();
            assertThat(run.clock.clamps()).isZero();
        }
    }

    /** Two of three that are far beyond a tick. */
    @ParameterizedTest
    @CsvSource({"2, 1", "2, 2", "8, 1", "8, 2"})
    void shouldNotTakePairsOfSpikesForOverload(long stepMillis, long apart) {
        OverloadRun.Load load =
                (tick, seconds) -> (tick % 100 == 0 || tick % 100 == apart ? 25 : stepMillis) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load);
                OverloadRun skipped = OverloadRun.of(LateTicks.catchUp(0), load)) {
            double speed = run.until(12).from(2).speed();
            assertThat(speed)
                    .isGreaterThan(0.995)
                    .isGreaterThan(skipped.until(12).from(2).speed());
        }
    }

    /** A slow tick of 18 ms is caught up with: a skip would lose a tick. */
    @Test
    void shouldCatchUpWithWhatIsLateOnce() {
        OverloadRun.Load load = (tick, seconds) -> (tick % 100 == 0 ? 18 : 2) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load);
                OverloadRun skipped = OverloadRun.of(LateTicks.catchUp(0), load)) {
            run.until(12);
            assertThat(run.driver.skippedNanos()).isZero();
            assertThat(run.driver.realTimeFactor()).isEqualTo(1);
            assertThat(run.from(4).mean()).isLessThan(skipped.until(12).from(4).mean() / 2);
        }
    }

    /** Loading classes, say: the delay that readers learn at the start must fit later windows. */
    @ParameterizedTest
    @ValueSource(longs = {8, 12, 19, 60})
    void shouldNeitherSlowDownNorClampAfterALateStart(long firstMillis) {
        OverloadRun.Load load = (tick, seconds) -> (tick < 3 ? firstMillis : 2) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load)) {
            Unevenness seen = run.until(3).from(0);
            assertThat(seen.speed()).isGreaterThan(0.99);
            assertThat(run.clock.clamps()).isZero();
        }
    }

    /** From slow motion the way back would take seconds. */
    @ParameterizedTest
    @CsvSource({"60, 5", "60, 17", "14, 17"})
    void shouldRunAtFullSpeedRightAfterASlowStart(long firstMillis, int ticks) {
        OverloadRun.Load load = (tick, seconds) -> (tick <= ticks ? firstMillis : 2) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load)) {
            Unevenness seen = run.until(3).from(firstMillis * ticks / 1e3 + 0.1);
            assertThat(seen.speed()).isGreaterThan(0.99);
            assertThat(Internals.loop(run.driver).schedule.account.slowedNanos())
                    .isZero();
        }
    }

    @Test
    void shouldSkipWhatNeedsLessThanTheLeastSpeed() {
        LateTicks policy = LateTicks.dilate(new TimeScale(1, 2));
        try (OverloadRun run = OverloadRun.of(policy, millis(seconds -> 40))) {
            run.until(12);
            assertThat(Internals.loop(run.driver).schedule.dilation.share()).isCloseTo(0.5, within(0.003));
            assertThat(run.driver.skippedTicks()).isPositive();
            assertThat(run.driver.realTimeFactor()).isCloseTo(0.25, within(0.005));
            assertThat(run.from(2).speed()).isCloseTo(0.25, within(0.005));
        }
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                arguments(LateTicks.dilate(), 300, 300, 0.033),
                arguments(LateTicks.dilate(), 12, 30, 0.608),
                arguments(LateTicks.dilate(), 14, 14, 0.71),
                arguments(LateTicks.dilate(TimeScale.ONE), 14, 14, 0.71),
                arguments(new LateTicks(new TimeScale(1, 10), 0), 14, 14, 0.71),
                arguments(LateTicks.catchUp(0), 14, 14, 0.5),
                arguments(LateTicks.catchUp(40 * OverloadRun.MILLI), 45, 45, 0.22));
    }

    /** Six steps in milliseconds, again and again: slowed down or skipped, the picture is as slow as the statistics say. */
    @ParameterizedTest
    @MethodSource("policies")
    void shouldSayHowFastTimeRuns(LateTicks policy, long stepMillis, long sixthMillis, double speed) {
        OverloadRun.Load load = (tick, seconds) -> (tick % 6 == 0 ? sixthMillis : stepMillis) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(policy, load)) {
            run.until(2);
            long fromTicks = Internals.loop(run.driver).lastPublished();
            run.until(12);
            double simulated = (Internals.loop(run.driver).lastPublished() - fromTicks) / 1000.0;
            PhysicsStats stats = run.driver.stats();
            assertThat(simulated).isCloseTo(speed, within(0.02 * speed));
            assertThat(stats.speed()).isCloseTo(simulated, within(0.05 * simulated));
            assertThat(stats.slowMotion())
                    .startsWith(String.format(Locale.ROOT, "Slow motion: %.2f of real time, because ", stats.speed()));
        }
    }

    /** A skip is no slow motion a second later. */
    @Test
    void shouldForgetASkip() {
        OverloadRun.Load load = (tick, seconds) -> (tick == 300 ? 195 : 2) * OverloadRun.MILLI;
        try (OverloadRun run = OverloadRun.of(LateTicks.dilate(), load)) {
            PhysicsStats stats = run.until(3.2).driver.stats();
            assertThat(stats.speed()).isBetween(0.8, 0.95);
            assertThat(stats.slowMotion()).endsWith("because ticks took too long shortly before");
            run.until(4.2);
            assertThat(stats.speed()).isEqualTo(1);
            assertThat(stats.slowMotion()).isEmpty();
        }
    }

    @Test
    void shouldMultiplyWithTheSpeedAskedFor() {
        try (OverloadRun run = run(seconds -> 14)) {
            run.until(4);
            run.driver.timeScale(new TimeScale(1, 2));
            Unevenness half = run.until(8).from(5);
            assertThat(half.speed()).as("14 ms of 20").isCloseTo(0.5, within(0.001));
            assertThat(half.mean()).isLessThan(MAX_MEAN);
            run.driver.timeScale(new TimeScale(2, 1));
            Unevenness twice = run.until(12).from(9);
            assertThat(twice.speed()).as("as much as fits").isCloseTo(0.7, within(0.01));
            assertThat(twice.mean()).isLessThan(MAX_MEAN);
        }
    }

    @Test
    void shouldStandStillStepAndGoOnAtTheSpeedThatItHad() {
        try (OverloadRun run = run(seconds -> 14)) {
            run.until(4);
            double factor = run.driver.realTimeFactor();
            run.driver.pause();
            run.until(6);
            long standing = Internals.loop(run.driver).lastPublished();
            run.until(7);
            assertThat(Internals.loop(run.driver).lastPublished()).isEqualTo(standing);
            assertThat(run.driver.realTimeFactor()).as("pauses are no loss").isCloseTo(factor, within(0.005));
            run.driver.step();
            run.until(8);
            assertThat(Internals.loop(run.driver).lastPublished()).isEqualTo(standing + 1);
            run.driver.resume();
            Unevenness seen = run.until(12).from(8.1);
            assertThat(seen.mean()).as(seen.toString()).isLessThan(MAX_MEAN);
            assertThat(seen.speed()).isCloseTo(0.7, within(0.01));
        }
    }
}
