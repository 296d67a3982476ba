package dev.escapement.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentExtremesTest {

    private static final long SLICE = 100;

    private final RecentExtremes recent = new RecentExtremes(SLICE);

    /** Compares with a list of all values. The remembered values span at least nine slices and at most ten. */
    @Test
    void shouldKnowTheExtremesOfWhatItRemembers() {
        SplittableRandom random = new SplittableRandom(5);
        ArrayDeque<long[]> all = new ArrayDeque<>();
        long now = Long.MAX_VALUE - 20_000; // wraps during the test
        for (int i = 0; i < 20_000; i++) {
            now += random.nextLong(random.nextInt(50) == 0 ? 2000 : 40);
            long value = random.nextLong(-1000, 1000);
            recent.add(now, value);
            all.add(new long[] {now, value});
            long newest = now;
            all.removeIf(entry -> newest - entry[0] >= 10 * SLICE);
            long max = all.stream().mapToLong(entry -> entry[1]).max().orElseThrow();
            long surely = all.stream()
                    .filter(entry -> newest - entry[0] < 9 * SLICE)
                    .mapToLong(entry -> entry[1])
                    .max()
                    .orElseThrow();
            assertThat(recent.largest()).isBetween(surely, max);
            long least = all.stream().mapToLong(entry -> entry[1]).min().orElseThrow();
            assertThat(recent.smallest()).isGreaterThanOrEqualTo(least).isLessThanOrEqualTo(value);
        }
    }
}
