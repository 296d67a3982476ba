package dev.escapement.physics.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** At each place of a group, in the first and in the last one, which is not full. */
    @Test
    void shouldChangeOnlyItsGroupsHashWithAnyBody() {
        WordBodies bodies = new WordBodies(200, 3);
        BodyDigests before = new BodyDigests(3, false);
        BodyDigests after = before.another();
        before.read(bodies, 200);
        assertThat(before.entries()).isEqualTo(4);
        for (int at = 0; at < bodies.words.length; at++) {
            bodies.words[at] ^= 1L << at % Long.SIZE;
            after.read(bodies, 200);
            for (int group = 0; group < 4; group++) {
                assertThat(after.firstDifference(group, before) >= 0)
                        .as("group %s, word %s", group, at)
                        .isEqualTo(group == at / 3 / 64);
            }
            assertThat(after.firstDifferentEntry(before)).isEqualTo(at / 3 / 64);
            bodies.words[at] = 0;
        }
    }

    /** The hash depends on the place of each state in the group. */
    @Test
    void shouldChangeTheHashWhenTwoBodiesChangePlaces() {
        for (int other = 1; other < 64; other++) {
            WordBodies bodies = new WordBodies(64, 1);
            BodyDigests before = new BodyDigests(1, false);
            BodyDigests after = before.another();
            bodies.words[0] = 1;
            before.read(bodies, 64);
            bodies.words[0] = 0;
            bodies.words[other] = 1;
            after.read(bodies, 64);
            assertThat(after.firstDifferentEntry(before)).as("%s", other).isZero();
        }
    }

    /** As after a simulation that threw while its bodies were read. */
    @Test
    void shouldNotDependOnAPartlyReadGroup() {
        WordBodies bodies = new WordBodies(64, 1);
        Arrays.fill(bodies.words, 7);
        BodyDigests whole = new BodyDigests(1, false);
        whole.read(bodies, 64);
        BodyDigests used = whole.another();
        used.read(bodies, 20);
        bodies.unreadableFrom = 40;
        assertThatIllegalStateException().isThrownBy(() -> used.read(bodies, 64));
        bodies.unreadableFrom = 64;
        used.read(bodies, 64);
        assertThat(used.firstDifferentEntry(whole)).isEqualTo(-1);
    }

    /** Logs are read by later versions: what a number means never changes. */
    @Test
    void shouldKeepTheNumbersOfKinds() {
        List<String> numbers = new ArrayList<>();
        for (InputKind kind : InputKind.values()) {
            numbers.add(kind + " " + kind.number());
            assertThat(InputKind.ofNumber(kind.number())).isEqualTo(kind);
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
                        "APPLICATION 9",
                        "SENDER_JOINED 10",
                        "SENDER_LEFT 11",
                        "WHEEL 12");
    }
}
