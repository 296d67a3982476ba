package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateHashTest {

    @Test
    void shouldDependOnEveryBitAndOnTheOrder() {
        Set<Long> hashes = new HashSet<>();
        hashes.add(hash(1.5, -2));
        hashes.add(hash(-2, 1.5));
        for (int bit = 0; bit < 64; bit++) {
            hashes.add(hash(Double.longBitsToDouble(Double.doubleToRawLongBits(1.5) ^ 1L << bit), -2));
        }
        assertThat(hashes).hasSize(66);
        assertThat(hash(0.0, 0)).isNotEqualTo(hash(-0.0, 0));
    }

    @Test
    void shouldDependOnEveryBitOfEachBodyAndOnTheirOrder() {
        long[] words = {1, -2, 3, 4, 5, 6};
        Set<Long> hashes = new HashSet<>();
        hashes.add(StateHash.addRows(0, words, 3));
        hashes.add(StateHash.addRows(1, words, 3));
        hashes.add(StateHash.addRows(0, words, 2));
        hashes.add(StateHash.addRows(0, new long[] {4, 5, 6, 1, -2, 3}, 3));
        for (int bit = 0; bit < 64 * words.length; bit++) {
            long[] changed = words.clone();
            changed[bit / 64] ^= 1L << bit;
            hashes.add(StateHash.addRows(0, changed, 3));
        }
        assertThat(hashes).hasSize(4 + 64 * words.length);
    }

    @Test
    void shouldRefuseAPartOfABody() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StateHash.addRows(0, new long[7], 3))
                .withMessage("7 words are not those of bodies with 3 words each");
        assertThatIllegalArgumentException().isThrownBy(() -> StateHash.addRows(0, new long[7], 0));
    }

    private static long hash(double a, double b) {
        return StateHash.finish(StateHash.add(StateHash.add(StateHash.start(), a), b));
    }
}
