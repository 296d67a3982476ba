package dev.escapement.bench.compare;

import static dev.escapement.bench.compare.Contestant.ACCUMULATOR;
import static dev.escapement.bench.compare.Contestant.BY_ARRIVAL;
import static dev.escapement.bench.compare.Contestant.EXTRAPOLATION;
import static dev.escapement.bench.compare.Contestant.FRAME_LOCKED;
import static dev.escapement.bench.compare.Contestant.NEXT_TICK;
import static dev.escapement.bench.compare.Contestant.SERVICE_2;
import static dev.escapement.bench.compare.Contestant.SERVICE_3;
import static dev.escapement.bench.compare.Contestant.SERVICE_AHEAD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.escapement.bench.compare.ContestantMeter.Measured;
import dev.escapement.bench.measure.Series;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the comparison is for: the figures of the design, and those that its page claims. */
class VirtualContestTest {

    @ParameterizedTest
    @EnumSource
    void shouldShowNoErrorAndHoldNothingWithThreeSnapshots(LoadProfile load) {
        for (RefreshCase refresh : RefreshCase.values()) {
            Result service = result(SERVICE_3, load, refresh);
            assertThat(service.errorMicros().mean()).as("%s, %s", load, refresh).isLessThan(10);
            assertThat(service.holds()).as("%s, %s", load, refresh).isZero();
            assertThat(service.speed()).isCloseTo(1, withinPercentage(0.1));
        }
    }

    /** One tick is not enough for delays that vary by 7 ms, however they are covered. */
    @Test
    void shouldTellThatTwoSnapshotsHold() {
        Result service = result(SERVICE_2, LoadProfile.HEAVY, RefreshCase.FPS_144);
        assertThat(service.holds()).isGreaterThan(100);
        assertThat(service.errorMicros().mean()).isGreaterThan(200);
    }

    /** A model of its own in another language gave these, in milliseconds, under steps of 1 to 8 ms. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            NEWEST,     FPS_60,  4.7, 13.3
            NEWEST,     FPS_144, 4.5, 13.1
            NEWEST,     FPS_240, 4.9,  5.8
            BY_ARRIVAL, FPS_60,  2.3,  6.2
            BY_ARRIVAL, FPS_144, 1.6,  5.9
            BY_ARRIVAL, FPS_240, 0.9,  5.5
            TWO_BY_DUE, FPS_60,  0.5,  3.3
            TWO_BY_DUE, FPS_144, 0.4,  3.1
            TWO_BY_DUE, FPS_240, 0.4,  2.7
            """)
    void shouldAgreeWithTheModel(Contestant contestant, RefreshCase refresh, double meanMillis, double p99Millis) {
        Result result = result(contestant, LoadProfile.HEAVY, refresh);
        assertThat(result.errorMicros().mean() / 1e3).isCloseTo(meanMillis, withinPercentage(25));
        assertThat(result.errorMicros().p99() / 1e3).isCloseTo(p99Millis, withinPercentage(25));
    }

    @Test
    void shouldStutterAtFiftyFiveFramesUnlessBlended() {
        RefreshCase refresh = RefreshCase.FPS_55_AT_60_HZ;
        Result accumulator = result(ACCUMULATOR, LoadProfile.LIGHT, refresh);
        Result newest = result(NEXT_TICK, LoadProfile.LIGHT, refresh);
        Result locked = result(FRAME_LOCKED, LoadProfile.LIGHT, refresh);
        assertThat(accumulator.errorMicros().mean()).isLessThan(10);
        assertThat(newest.errorMicros().mean()).isGreaterThan(1000);
        assertThat(locked.errorMicros().mean()).as("1/55 s less 1/60 s").isCloseTo(1515, withinPercentage(1));
        assertThat(locked.speed()).isCloseTo(55 / 60.0, withinPercentage(0.1));
        assertThat(accumulator.speed()).isCloseTo(1, withinPercentage(0.1));
    }

    /** A slow step is a slow frame in one thread, and nothing at all beside it. */
    @Test
    void shouldMissNoSlotWherePhysicsHasItsOwnThread() {
        Result accumulator = result(ACCUMULATOR, LoadProfile.HEAVY, RefreshCase.FPS_144);
        Result service = result(SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144);
        assertThat(accumulator.framesPerSecond()).isLessThan(110);
        assertThat(accumulator.errorMicros().mean()).isGreaterThan(2000);
        assertThat(service.framesPerSecond()).isCloseTo(144, withinPercentage(0.1));
    }

    /** What it costs, and what the others cost who show no guess. */
    @Test
    void shouldBeBehindByATickTheSlowestStepAndAFrame() {
        Result service = result(SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144);
        double tickStepSlackFrame = 10_000 + 8000 + 500 + 1e6 / 144;
        assertThat(service.requireLookBehindMicros().mean()).isCloseTo(tickStepSlackFrame, withinPercentage(1));
        assertThat(service.requireLookBehindMicros().p99())
                .as("always the same")
                .isCloseTo(tickStepSlackFrame, withinPercentage(1));
    }

    /** And no less even. */
    @ParameterizedTest
    @EnumSource
    void shouldBeATickYoungerIfItLooksATickAhead(LoadProfile load) {
        Result known = result(SERVICE_3, load, RefreshCase.FPS_144);
        Result ahead = result(SERVICE_AHEAD, load, RefreshCase.FPS_144);
        double younger = known.requireLookBehindMicros().mean()
                - ahead.requireLookBehindMicros().mean();
        assertThat(younger).isCloseTo(10_000, withinPercentage(1));
        assertThat(ahead.errorMicros().mean()).isLessThan(10);
        assertThat(ahead.holds()).isZero();
        assertThat(requireNonNull(known.positionMicrometres()).max())
                .as("of reading the time off the probe")
                .isLessThan(100);
        assertThat(requireNonNull(ahead.positionMicrometres()).p99()).isBetween(1000.0, 120_000.0);
    }

    @Test
    void shouldDiveIntoTheFloorByPredictionOnly() {
        for (Contestant contestant : Contestant.values()) {
            Result result = result(contestant, LoadProfile.LIGHT, RefreshCase.FPS_144);
            if (contestant == EXTRAPOLATION || contestant == SERVICE_AHEAD) {
                assertThat(result.belowFloorMillimetres()).isBetween(20.0, 65.0); // it falls 63 mm in a tick
            } else {
                assertThat(result.belowFloorMillimetres()).as("%s", contestant).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveTheSameBitsTwice(Contestant contestant) {
        VirtualContest contest = new VirtualContest(LoadProfile.SPIKY, RefreshCase.FPS_144);
        Measured first = contest.measure(contestant);
        Measured second = contest.measure(contestant);
        assertThat(second.result()).isEqualTo(first.result());
        assertThat(second.errorMillis().y()).isEqualTo(first.errorMillis().y());
        assertThat(second.ballHeight().y()).isEqualTo(first.ballHeight().y());
    }

    /** The service has nothing to make up for, the loop that never loses time has, and the one of most engines gives it up. */
    @Test
    void shouldTellWhoKeepsTimeThroughAFreeze() {
        assertThat(aheadAfterFreeze(SERVICE_3)).isBetween(-1.0, 1.0);
        assertThat(aheadAfterFreeze(NEXT_TICK)).isBetween(-25.0, 25.0);
        assertThat(aheadAfterFreeze(ACCUMULATOR)).as("all but 250 ms").isBetween(-800.0, -730.0);
        assertThat(aheadAfterFreeze(BY_ARRIVAL)).isBetween(-10.0, 10.0);
    }

    /** Milliseconds, a second after the freeze. */
    private static double aheadAfterFreeze(Contestant contestant) {
        Series ahead = new VirtualContest(LoadProfile.HEAVY, RefreshCase.FPS_55_AT_60_HZ)
                .measureWithFreeze(contestant, 5)
                .aheadMillis();
        assertThat(ahead.between(5.5, 6).y()).as("frozen").isEmpty();
        return ahead.between(7, 8).y()[0];
    }

    private static Result result(Contestant contestant, LoadProfile load, RefreshCase refresh) {
        return new VirtualContest(load, refresh).measure(contestant).result();
    }
}
