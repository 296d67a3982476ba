package dev.escapement.physics.restore;

import static org.assertj.core.api.Assertions.assertThat;

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
    void shouldDependOnEveryBitOfManyInTheirOrder() {
        long[] words = {1, -2, 3, 4, 5, 6};
        Set<Long> hashes = new HashSet<>();
        hashes.add(StateHash.addAll(0, words, words.length));
        hashes.add(StateHash.addAll(1, words, words.length));
        hashes.add(StateHash.addAll(0, new long[] {1, -2, 3, 4, 5, 6, 0}, 7));
        hashes.add(StateHash.addAll(0, new long[] {4, 5, 6, 1, -2, 3}, 6));
        for (int bit = 0; bit < 64 * words.length; bit++) {
            long[] changed = words.clone();
            changed[bit / 64] ^= 1L << bit;
            hashes.add(StateHash.addAll(0, changed, changed.length));
        }
        assertThat(hashes).hasSize(4 + 64 * words.length);
    }

    /** Two equal changes must not cancel, for example two flipped signs. */
    @Test
    void shouldNotLetTwoChangesCancel() {
        long[] words = {1, -2, 3, 4, 5, 6, 7, 8, 9, 10};
        long original = StateHash.addAll(0, words, words.length);
        for (int other = 1; other < words.length; other++) {
            for (int bit = 0; bit < 64; bit++) {
                long[] changed = words.clone();
                changed[0] ^= 1L << bit;
                changed[other] ^= 1L << bit;
                assertThat(StateHash.addAll(0, changed, changed.length)).isNotEqualTo(original);
            }
        }
    }

    private static long hash(double a, double b) {
        return StateHash.finish(StateHash.add(StateHash.add(StateHash.start(), a), b));
    }
}
