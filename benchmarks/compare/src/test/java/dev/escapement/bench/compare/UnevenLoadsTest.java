package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the default policy for late ticks under each load of the page whose steps fit on average, and under constant overload. */
class UnevenLoadsTest {

    private static final Pattern SIZE = Pattern.compile("windowSize\\((\\d+)\\)");

    private static final Set<LoadProfile> NOT_HIDDEN = EnumSet.of(
            LoadProfile.SEVENTEEN_OF_2_THREE_OF_40_MS,
            LoadProfile.NINETY_SEVEN_OF_2_THREE_OF_40_MS,
            LoadProfile.SIXTEEN_OF_2_FOUR_OF_30_MS);

    /** In ticks: the first two bursts may slow time down, and are over by then. */
    private static final int BEGINNING = 400;

    private String advice = "";

    private static Stream<LoadProfile> loads() {
        return Stream.of(LoadProfile.values()).filter(LoadProfile::isUneven);
    }

    /** At other rates, the steps are longer or shorter by the length of a tick. */
    @ParameterizedTest
    @MethodSource("loads")
    void shouldKeepRealTime(LoadProfile load) {
        for (long hertz : new long[] {30, 60, 100, 240, 1000}) {
            assertThat(speed(load, hertz)).as("%s Hz", hertz).isGreaterThan(0.98);
        }
    }

    @ParameterizedTest
    @CsvSource({"STEPS_11_MS, 0.90", "STEPS_14_MS, 0.71", "STEPS_20_MS, 0.5"})
    void shouldSlowDownAsFarAsStepsNeed(LoadProfile load, double fitting) {
        for (long hertz : new long[] {30, 100, 1000}) {
            assertThat(speed(load, hertz) / fitting).as("%s Hz", hertz).isBetween(0.96, 1.0);
        }
    }

    /**
     * An empty advice says that windows of 3 suffice; turns of 2 and 16 ms need 4 for as long as readers remember the first ticks. The
     * lognormal load does not repeat, so it is less even.
     */
    @ParameterizedTest
    @MethodSource("loads")
    void shouldBeEvenWithTheAdvisedWindow(LoadProfile load) {
        speed(load, 100);
        Matcher size = SIZE.matcher(advice);
        int snapshots = size.find() ? Integer.parseInt(size.group(1)) : 3;
        boolean isHidden = !advice.contains("not even windows of");
        assertThat(isHidden).as(advice).isEqualTo(!NOT_HIDDEN.contains(load));
        boolean repeats = load != LoadProfile.LOGNORMAL_8_MS;
        int least = load == LoadProfile.TURNS_OF_2_AND_16_MS ? 4 : snapshots;
        for (RefreshCase refresh : new RefreshCase[] {RefreshCase.FPS_60, RefreshCase.FPS_144, RefreshCase.FPS_240}) {
            Case run = new Case(Contestant.SERVICE_3, load, refresh);
            Result result = VirtualContest.measure(run, loops -> loops.service(least, 0));
            assertThat(result.unevennessPercent()).as(advice).isLessThan(isHidden ? repeats ? 1 : 2 : 100);
        }
    }

    /** Returns the speed from the end of the beginning on, and keeps the advice. */
    private double speed(LoadProfile load, long hertz) {
        WorkClock clock = new WorkClock();
        Scene scene = new Scene(step -> load.costNanos(step) * 100 / hertz, clock);
        TickRate rate = TickRate.hertz(hertz);
        PhysicsServiceBuilder builder = PhysicsService.builder(scene).rate(rate).lateTicks(LateTicks.dilate());
        try (InlineDriver driver = builder.inline(clock)) {
            long fromNanos = 0;
            int ticks = 10 * BEGINNING;
            for (int tick = 1; tick <= ticks; tick++) {
                clock.spendUntil(driver.nextDueNanos());
                driver.runDueTicks(1);
                fromNanos = tick == BEGINNING ? driver.nextDueNanos() : fromNanos;
            }
            advice = driver.stats().windowAdvice();
            return (double) rate.nanosAt(ticks - BEGINNING) / (driver.nextDueNanos() - fromNanos);
        }
    }
}
