package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Where in a tick events happened, what they hold, and what becomes of them while time stands still. */
class InputLevelsTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(16, clock);
    private final InputSampler sampler = new InputSampler(ring);

    @Test
    void shouldTellExactlyWhereInItsTickAnEventHappened() {
        offer(101, InputKind.APPLICATION, 1);
        offer(107, InputKind.APPLICATION, 2);
        offer(110, InputKind.APPLICATION, 3);
        InputFrame frame = sampler.sample(100, 110);
        assertThat(frame.lengthNanos()).isEqualTo(10);
        assertThat(offsets(frame)).containsExactly(1L, 7L, 10L);
    }

    @Test
    void shouldPlaceAtTheStartWhatIsLateOrHappenedWhileTimeStoodStill() {
        sampler.sample(100, 110);
        offer(109, InputKind.APPLICATION, 1); // late
        offer(115, InputKind.APPLICATION, 2); // time went on at 120
        offer(121, InputKind.APPLICATION, 3);
        InputFrame frame = sampler.sample(120, 130);
        assertThat(offsets(frame)).containsExactly(0L, 0L, 1L);
        assertThat(frame.event(0).isLate()).isTrue();
        assertThat(frame.event(1).isLate()).isFalse();
    }

    @Test
    void shouldHoldWhatWentDownUntilItComesUp() {
        offer(1, InputKind.KEY_DOWN, 511);
        offer(2, InputKind.POINTER_DOWN, 63);
        offer(3, InputKind.BUTTON_DOWN, 1023);
        ring.offer(4, InputKind.AXIS_MOVED, 255, 0.5f, 0);
        InputState state = sampler.sample(0, 10).state();
        assertThat(state.isKeyDown(511)).isTrue();
        assertThat(state.isKeyDown(447)).as("64 codes before").isFalse();
        assertThat(state.isPointerDown(63)).isTrue();
        assertThat(state.isButtonDown(1023)).isTrue();
        assertThat(state.axis(255)).isEqualTo(0.5f);
        offer(11, InputKind.KEY_UP, 511);
        offer(12, InputKind.POINTER_UP, 63);
        offer(13, InputKind.BUTTON_UP, 1023);
        state = sampler.sample(10, 20).state();
        assertThat(state.isKeyDown(511)).isFalse();
        assertThat(state.isPointerDown(63)).isFalse();
        assertThat(state.isButtonDown(1023)).isFalse();
        assertThat(state.axis(255)).isEqualTo(0.5f);
    }

    @Test
    void shouldShowAPressAndAReleaseWithinOneTick() {
        offer(1, InputKind.KEY_DOWN, 32);
        offer(2, InputKind.KEY_UP, 32);
        InputFrame frame = sampler.sample(0, 10);
        assertThat(frame.size()).isEqualTo(2);
        assertThat(frame.state().isKeyDown(32)).isFalse();
    }

    @Test
    void shouldKeepWhatIsHeldAndCountTheRestWhileTimeStandsStill() {
        offer(1, InputKind.KEY_DOWN, 87);
        offer(2, InputKind.APPLICATION, 1);
        offer(30, InputKind.APPLICATION, 2);
        sampler.drainWhilePaused(20, null);
        assertThat(ring.droppedWhilePaused()).isEqualTo(2);
        assertThat(sampler.pending()).isEqualTo(1);
        InputFrame frame = sampler.sample(25, 35);
        assertThat(frame.size()).isEqualTo(1);
        assertThat(frame.state().isKeyDown(87)).isTrue();
    }

    @Test
    void shouldTellAListenerWhileTimeStandsStill() {
        List<String> told = new ArrayList<>();
        offer(2, InputKind.KEY_UP, 87);
        offer(1, InputKind.KEY_DOWN, 87);
        sampler.drainWhilePaused(20, (event, state) -> told.add(event.kind() + " " + state.isKeyDown(87)));
        assertThat(told).containsExactly("KEY_DOWN true", "KEY_UP false");
        assertThat(ring.droppedWhilePaused()).isZero();
        offer(15, InputKind.APPLICATION, 1);
        assertThat(sampler.sample(25, 35).event(0).isLate())
                .as("the pause had been asked up to 20")
                .isTrue();
    }

    @Test
    void shouldNotLoseItsRoomWhenTheListenerThrows() {
        for (int round = 0; round < 40; round++) {
            offer(round, InputKind.APPLICATION, 1);
            long now = round;
            assertThatIllegalStateException()
                    .isThrownBy(() -> sampler.drainWhilePaused(now, (event, state) -> {
                        throw new IllegalStateException("menu");
                    }));
        }
        assertThat(ring.rejected()).isZero();
        assertThat(sampler.pending()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "KEY_DOWN, -1, 'KEY_DOWN: key codes are 0 to 511, but the code is -1'",
        "KEY_UP, 512, 'key codes are 0 to 511, but the code is 512'",
        "POINTER_DOWN, 64, 'pointer button codes are 0 to 63'",
        "BUTTON_UP, 1024, 'controller button codes are 0 to 1023'",
        "AXIS_MOVED, 256, 'controller axis codes are 0 to 255'",
    })
    void shouldRefuseCodesThatDoNotExist(InputKind kind, int code, String says) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> offer(1, kind, code))
                .withMessageContaining(says);
        assertThat(ring.accepted()).isZero();
    }

    @ParameterizedTest
    @EnumSource(InputKind.class)
    void shouldAcceptTheFirstCodeOfEveryKind(InputKind kind) {
        offer(1, kind, 0);
        assertThat(sampler.sample(0, 10).event(0).kind()).isEqualTo(kind);
    }

    private void offer(long timeNanos, InputKind kind, int code) {
        assertThat(ring.offer(timeNanos, kind, code, 0, 0)).isTrue();
    }

    private static List<Long> offsets(InputFrame frame) {
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            offsets.add(frame.event(i).offsetNanos());
        }
        return offsets;
    }
}
