package dev.escapement.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.MotionBreaks.Kind;
import org.junit.jupiter.api.Test;

/** Tests how a child finds the motion breaks of its parent without a search through the whole block. */
class MotionBreaksTest {

    private final MotionBreaks breaks = new MotionBreaks(PoseBlock.CAPACITY);

    /** A simulation may report many jumps of each body in one tick. */
    @Test
    void shouldFindThoseOfABodyBehindFortyThousandOthers() {
        breaks.add(Kind.SHIFTED, 7, 1, 2, 3);
        for (int i = 0; i < 40_000; i++) {
            breaks.add(Kind.BROKEN, i & PoseBlock.MASK, 0, 0, 0);
        }
        breaks.shift(7, 1, 1, 1);
        assertThat(breaks.x(0)).isEqualTo(2);
        assertThat(breaks.last(39_999 & PoseBlock.MASK)).isEqualTo(40_000);
        assertThat(breaks.before(40_000)).isEqualTo(40_000 - PoseBlock.CAPACITY);
        assertThat(breaks.before(breaks.last(7))).isGreaterThan(0);
        breaks.clear();
        assertThat(breaks.last(7)).isEqualTo(-1);
        breaks.add(Kind.SHIFTED, 9, 1, 0, 0);
        assertThat(breaks.last(9)).isZero();
        assertThat(breaks.before(0)).isEqualTo(-1);
    }
}
