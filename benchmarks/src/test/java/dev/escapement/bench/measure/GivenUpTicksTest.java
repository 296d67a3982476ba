package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A period of 10; the machine was away where the test says. */
class GivenUpTicksTest {

    private final GivenUpTicks ticks = new GivenUpTicks(10);

    @Test
    void shouldFindNoReasonWhereNothingWasGivenUp() {
        ticks.ticked(10, 11, 15);
        ticks.ticked(20, 21, 29);
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(0, 0, 0));
    }

    @Test
    void shouldFindATickThatTookLongerThanAPeriodByItself() {
        ticks.ticked(10, 11, 35);
        ticks.ticked(40, 41, 42);
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(2, 0, 0));
    }

    @Test
    void shouldBlameTheMachineForATickThatItInterrupted() {
        ticks.ticked(10, 11, 35);
        ticks.ticked(40, 41, 42);
        assertThat(ticks.reasons(away(14, 33))).isEqualTo(new Reasons(0, 2, 0));
    }

    @Test
    void shouldBlameTheMachineForATickThatItStartedLate() {
        ticks.ticked(10, 28, 32);
        ticks.ticked(40, 41, 42);
        assertThat(ticks.reasons(away(5, 28))).isEqualTo(new Reasons(0, 2, 0));
    }

    @Test
    void shouldNotExplainATickThatStartedLateOnAMachineThatWasThere() {
        ticks.ticked(10, 28, 32);
        ticks.ticked(40, 41, 42);
        assertThat(ticks.reasons(away(10, 12))).isEqualTo(new Reasons(0, 0, 2));
    }

    @Test
    void shouldBlameTheTickBeforeForOneThatCouldNotStartInTime() {
        ticks.ticked(10, 11, 28);
        ticks.ticked(20, 28, 36);
        ticks.ticked(40, 41, 42);
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(1, 0, 0));
        assertThat(ticks.reasons(away(12, 27))).isEqualTo(new Reasons(0, 1, 0));
    }

    @Test
    void shouldRememberMoreLateTicksThanThereWasRoomForAtFirst() {
        for (int tick = 0; tick < 101; tick++) {
            long due = 20L * tick;
            ticks.ticked(due, due, due + 15);
        }
        assertThat(ticks.reasons(away())).isEqualTo(new Reasons(100, 0, 0));
    }

    @Test
    void shouldJudgeTheLibraryByWhatHasNoReason() {
        assertThat(new Reasons(3, 4, 0).libraryVerdict()).startsWith("Library: every promise held");
        assertThat(new Reasons(0, 0, 1).plus(new Reasons(3, 4, 1)).libraryVerdict())
                .isEqualTo("Library: 2 ticks were given up although the machine was there and no tick took too long.");
    }

    @Test
    void shouldJudgeTheMachineByWhatWasGivenUpMost() {
        assertThat(Reasons.NONE.machineVerdict(7, "do less"))
                .isEqualTo("Machine: kept up: no tick given up; it was away for 7 ms in all.");
        assertThat(new Reasons(1, 3, 0).machineVerdict(30, "do less"))
                .startsWith("Machine: 3 of 4 ticks given up while it was away");
        assertThat(new Reasons(3, 1, 0).machineVerdict(30, "do less"))
                .startsWith("Machine: too slow here: 3 of 4 ticks given up")
                .contains("do less");
    }

    private static MachineWitness away(long... fromTo) {
        return MachineWitness.thatSaw(fromTo.length == 0 ? List.of() : List.of(fromTo));
    }
}
