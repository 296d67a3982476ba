package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is written of a body, and of a kind of input. */
class BodyDigestsTest {

    @Test
    void shouldChangeWithAnyBit() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 1000; i++) {
            long bits = i == 0 ? 0 : random.nextLong();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                assertThat(BodyDigests.digest(bits ^ (1L << bit)))
                        .as("bit %s of %s", bit, bits)
                        .isNotEqualTo(BodyDigests.digest(bits));
            }
        }
    }

    /** Logs are read by later versions: what a number means never changes. */
    @Test
    void shouldKeepTheNumbersOfKinds() {
        List<String> numbers = new ArrayList<>();
        for (InputKind kind : InputKind.values()) {
            numbers.add(kind + " " + KindCodes.codeOf(kind));
            assertThat(KindCodes.kindOf(KindCodes.codeOf(kind))).isEqualTo(kind);
        }
        assertThat(numbers)
                .containsExactlyInAnyOrder(
                        "KEY_DOWN 1",
                        "KEY_UP 2",
                        "POINTER_DOWN 3",
                        "POINTER_UP 4",
                        "POINTER_MOVED 5",
                        "BUTTON_DOWN 6",
                        "BUTTON_UP 7",
                        "AXIS_MOVED 8",
                        "APPLICATION 9");
    }
}
