package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.compare.RealContest.Selected;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That all kinds run on real threads, and what is measured of them; not how well they do, which is for a quiet machine. */
class RealContestTest {

    private static final int BODIES = 1500; // the scene's own bodies come to lie in the second block

    private final List<GivenUpTicks> givenUp = new ArrayList<>();
    private final RealContest contest = new RealContest(
            LoadProfile.LIGHT,
            RefreshCase.FPS_144,
            () -> new Crowd(new SpringSimulation(BODIES), BODIES),
            givenUp::add,
            0,
            1);

    @ParameterizedTest
    @EnumSource(
            value = Contestant.class,
            names = {
                "ACCUMULATOR",
                "VARIABLE_STEP",
                "BY_ARRIVAL",
                "FRAME_QUEUE",
                "LOCK_AND_COPY",
                "STEP_BESIDE_FRAME",
                "SERVICE_3"
            })
    void shouldMeasureEachKindOfContestant(Contestant contestant) {
        RealResult result = contest.measure(contestant);
        assertThat(result.slot().contestant()).isEqualTo(contestant);
        assertThat(result.slot().frames()).isBetween(2L, 144L);
        assertThat(result.slot().speed()).as("something moves").isPositive();
        assertThat(result.completionErrorMicros().mean()).isPositive();
        assertThat(givenUp).hasSize(contestant.place() == Contestant.Place.TWO_THREADS ? 1 : 0);
    }

    @Test
    void shouldFindNoErrorInAPictureThatIsRightByConstruction() {
        RealResult result = contest.measureAnalytic();
        assertThat(result.slot().errorMicros().max()).isZero();
        assertThat(result.completionErrorMicros().mean()).as("but jitter").isPositive();
    }

    @Test
    void shouldKnowTheFirstSlotInWhichAFrameIsInTime() {
        SlotLoop loop = new SlotLoop(TickRate.hertz(100));
        long[] slots = new long[2];
        loop.run(15_000_000, (beginNanos, displayNanos) -> {
            slots[0] = beginNanos;
            slots[1] = displayNanos;
        });
        assertThat(slots[1] - slots[0]).isEqualTo(10_000_000);
        assertThat(loop.firstSlotFrom(slots[0] + 1)).isEqualTo(slots[1]);
        assertThat(loop.firstSlotFrom(slots[1])).isEqualTo(slots[1]);
        assertThat(loop.firstSlotFrom(slots[1] + 1)).isEqualTo(slots[1] + 10_000_000);
    }

    @Test
    void shouldSelectTheServiceAndWhatItIsComparedWith() {
        assertThat(RealContest.usualSelection())
                .contains(
                        new Selected(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144),
                        new Selected(Contestant.BY_ARRIVAL, LoadProfile.HEAVY, RefreshCase.FPS_144));
        assertThat(RealContest.fullSelection())
                .hasSize(LoadProfile.values().length * RefreshCase.values().length * Contestant.values().length)
                .containsAll(RealContest.usualSelection());
    }
}
