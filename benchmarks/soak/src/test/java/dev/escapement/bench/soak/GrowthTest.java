package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class GrowthTest {

    private static final double MB = 1 << 20;
    private static final int SEEDS = 1000;

    /** A sample each 5 s of 100 ticks a second. */
    private static double perTick(Growth growth, int samples, IntToDoubleFunction bytes) {
        return growth.perUnit(
                        IntStream.range(0, samples).mapToDouble(i -> 500 * i).toArray(),
                        IntStream.range(0, samples).mapToDouble(bytes).toArray())
                .orElse(0);
    }

    private static double noise(SplittableRandom random) {
        return 40 * MB + random.nextDouble(0.6 * MB);
    }

    @Test
    void shouldFindAKilobyteATickInAMinute() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            assertThat(perTick(Growth.HEAP, 12, i -> noise(random) + 500 * 1024 * i))
                    .as("seed " + seed)
                    .isCloseTo(1024, Percentage.withPercentage(40));
        }
    }

    @Test
    void shouldRaiseNoAlarmForWhatIsFlat() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double tooth = random.nextDouble(8 * MB);
            int period = random.nextInt(2, 9);
            int step = random.nextInt(200);
            int samples = random.nextInt(1, 200);
            assertThat(perTick(Growth.HEAP, samples, i -> noise(random) + tooth * (i % period)))
                    .as("saw tooth " + seed)
                    .isZero();
            assertThat(perTick(Growth.HEAP, samples, i -> noise(random) + (i < step ? 0 : 30 * MB)))
                    .as("one step, of an arena " + seed)
                    .isZero();
            assertThat(perTick(
                            Growth.HEAP, samples, i -> noise(random) + 30 * MB * (1 - Math.exp(-i * 12.0 / samples))))
                    .as("warm-up " + seed)
                    .isZero();
            assertThat(perTick(Growth.HEAP, samples, i -> noise(random) + random.nextDouble(60 * MB)))
                    .as("noise " + seed)
                    .isZero();
        }
    }

    @Test
    void shouldFindASlowLeakUnderASawToothInANight() {
        for (int seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            assertThat(perTick(Growth.HEAP, 5000, i -> noise(random) + 4 * MB * (i % 7) + 5 * 500 * i))
                    .as("seed " + seed)
                    .isCloseTo(5, Percentage.withPercentage(20));
        }
    }

    @Test
    void shouldAskMoreOfResidentMemory() {
        assertThat(perTick(Growth.RESIDENT, 60, i -> 900 * MB + MB * i)).isZero();
        assertThat(perTick(Growth.RESIDENT, 60, i -> 100 * MB + MB * i)).isZero();
        assertThat(perTick(Growth.RESIDENT, 60, i -> 900 * MB + 3 * MB * i)).isPositive();
        assertThat(perTick(Growth.RESIDENT, 60, i -> 100 * MB + 3 * MB * i)).isPositive();
    }
}
