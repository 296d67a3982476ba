package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests input that outlives its tick, and level changes that no event of a tick explains. */
class RecordedInputTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(64, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final RecordedInput recorded = new RecordedInput();

    @Test
    void shouldBeACopyThatOutlivesTheTick() {
        ring.offer(3, InputKind.KEY_DOWN, 87, 0, 0);
        ring.offer(4, InputKind.AXIS_MOVED, 2, 0.5f, -1);
        recorded.copyFrom(sampler.sample(0, 10));
        ring.offer(5, InputKind.KEY_UP, 87, 0, 0);
        sampler.sample(10, 20);

        InputFrame frame = recorded.frame();
        assertThat(frame.lengthNanos()).isEqualTo(10);
        assertThat(frame.size()).isEqualTo(2);
        assertThat(frame.event(1)).hasToString("InputEvent[#1 AXIS_MOVED 2 (0.5, -1.0) at 4 ns]");
        assertThat(frame.event(1).offsetNanos()).isEqualTo(4);
        assertThat(frame.state().isKeyDown(87)).isTrue();
        assertThat(frame.state().axis(2)).isEqualTo(0.5f);

        ring.offer(15, InputKind.APPLICATION, 1, 0, 0);
        recorded.copyFrom(sampler.sample(20, 30));
        assertThat(frame.event(0).isLate()).isTrue();
        assertThat(frame.state().isKeyDown(87)).isFalse();
    }

    @Test
    void shouldKeepRecordedLevelsFromTickToTick() {
        recorded.begin(10);
        recorded.add(0, 7, 3, InputKind.BUTTON_DOWN, 1000, 1, 2, 3, true);
        assertThat(recorded.frame().event(0)).hasToString("InputEvent[#7 BUTTON_DOWN 1000 (1.0, 2.0) at 3 ns]");
        assertThat(recorded.frame().event(0).isLate()).isTrue();
        recorded.begin(20);
        assertThat(recorded.frame().size()).isZero();
        assertThat(recorded.frame().state().isButtonDown(1000)).isTrue();
    }

    @Test
    void shouldMoveEventsInProportionToTheNewTick() {
        recorded.begin(10);
        recorded.add(0, 0, 3, InputKind.APPLICATION, 1, 0, 0, 0, false);
        recorded.add(0, 1, 8, InputKind.APPLICATION, 1, 0, 0, 5, false);
        recorded.add(0, 2, 13, InputKind.APPLICATION, 1, 0, 0, 10, false);
        recorded.moveTo(1000, 1100);
        assertThat(recorded.frame().event(0).timeNanos()).isEqualTo(1000);
        assertThat(recorded.frame().event(1).timeNanos()).isEqualTo(1050);
        assertThat(recorded.frame().event(2).timeNanos()).isEqualTo(1100);
        assertThat(recorded.frame().event(2).offsetNanos()).isEqualTo(10);
        assertThat(recorded.frame().lengthNanos()).isEqualTo(10);
    }

    @Test
    void shouldRefuseCodesThatDoNotExist() {
        recorded.begin(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recorded.add(0, 0, 0, InputKind.KEY_UP, 512, 0, 0, 0, false))
                .withMessageContaining("key codes are 0 to 511, but the code is 512");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recorded.levels().set(InputLevels.ALL, InputKind.AXIS_MOVED, -1, 0))
                .withMessageContaining("but the code is -1");
        assertThat(recorded.frame().size()).isZero();
    }

    @Test
    void shouldReportTheLevelsThatChangedWhileTimeStoodStill() {
        List<String> reported = new ArrayList<>();
        InputLevels tracker = new InputLevels();
        InputLevels.Visitor visitor =
                (sender, kind, code, x) -> reported.add(sender + " " + kind + " " + code + " " + x);

        ring.offer(1, InputKind.KEY_DOWN, 0, 0, 0);
        ring.offer(2, InputKind.POINTER_DOWN, 63, 0, 0);
        tracker.update(sampler.sample(0, 10), visitor);
        assertThat(reported).as("the events explain it").isEmpty();

        ring.offer(11, InputKind.KEY_UP, 0, 0, 0);
        ring.offer(12, InputKind.KEY_DOWN, 511, 0, 0);
        ring.offer(13, InputKind.POINTER_UP, 63, 0, 0);
        ring.offer(14, InputKind.BUTTON_DOWN, 64, 0, 0);
        ring.offer(15, InputKind.AXIS_MOVED, 255, Float.NaN, 0);
        sampler.drainWhilePaused(20, true, null);
        tracker.update(sampler.sample(20, 30), visitor);
        assertThat(reported)
                .containsExactly(
                        "-1 KEY_UP 0 0.0",
                        "-1 KEY_DOWN 511 0.0",
                        "-1 POINTER_UP 63 0.0",
                        "-1 BUTTON_DOWN 64 0.0",
                        "-1 AXIS_MOVED 255 NaN",
                        "0 KEY_UP 0 0.0",
                        "0 KEY_DOWN 511 0.0",
                        "0 POINTER_UP 63 0.0",
                        "0 BUTTON_DOWN 64 0.0",
                        "0 AXIS_MOVED 255 NaN");

        reported.clear();
        tracker.update(sampler.sample(30, 40), visitor);
        assertThat(reported).as("once").isEmpty();
    }

    @Test
    void shouldVisitOnlyWhatOneSenderHolds() {
        recorded.begin(10);
        recorded.levels().set(1, InputKind.SENDER_JOINED, 0, 0);
        recorded.levels().set(2, InputKind.SENDER_JOINED, 0, 0);
        recorded.levels().set(1, InputKind.KEY_DOWN, 87, 0);
        recorded.levels().set(2, InputKind.KEY_DOWN, 65, 0);
        recorded.levels().set(2, InputKind.AXIS_MOVED, 3, 0.5f);
        List<String> held = new ArrayList<>();
        for (int sender = 1; sender <= 3; sender++) {
            recorded.levels()
                    .visitHeld(sender, (of, kind, code, x) -> held.add(of + " " + kind + " " + code + " " + x));
        }
        assertThat(held).containsExactly("1 KEY_DOWN 87 0.0", "2 KEY_DOWN 65 0.0", "2 AXIS_MOVED 3 0.5");
    }
}
