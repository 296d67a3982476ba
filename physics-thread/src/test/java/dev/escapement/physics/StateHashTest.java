package dev.escapement.physics;

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

    private static long hash(double a, double b) {
        return StateHash.finish(StateHash.add(StateHash.add(StateHash.start(), a), b));
    }
}
