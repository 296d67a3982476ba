package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthTest {

    private static final double MB = 1 << 20;
    private static final int SEEDS = 1000;

    /** The first seed of these tests. Lower seeds were used to choose the thresholds, so they prove nothing. */
    private static final int FIRST_SEED = 5_000_000;

    /** Adds a sample every 500 ticks, which take 5 s, and returns the growth per tick. */
    private static double perTick(Growth growth, int samples, IntToDoubleFunction bytes) {
        for (int i = 0; i < samples; i++) {
            growth.add(500 * i, bytes.applyAsDouble(i));
        }
        return samples < Growth.LEAST_SAMPLES ? 0 : growth.perUnit();
    }

    private static double noise(SplittableRandom random) {
        return 40 * MB + random.nextDouble(0.6 * MB);
    }

    /** The samples of the long life in a run of a minute, on a machine that runs 100 or 50 ticks a second. */
    @ParameterizedTest
    @ValueSource(ints = {150, 75})
    void shouldFindAKilobyteATickInAMinute(int ticksASample) {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Growth growth = Growth.heap();
            for (int i = 0; i < 18; i++) {
                int tick = ticksASample * i;
                growth.add(tick, 40 * MB + random.nextDouble(0.1 * MB) + 1024 * tick);
            }
            assertThat(growth.perUnit()).as("seed " + seed).isCloseTo(1024, Percentage.withPercentage(40));
        }
    }

    /** Asks for a verdict after each sample, as a run does. Each verdict is a chance of a false alarm. */
    @Test
    void shouldRaiseNoAlarmIfAskedOften() {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double noise = random.nextDouble(4 * MB);
            Growth growth = Growth.heap();
            Check check = new Check();
            for (int tick = 0; tick < 40 * 150; tick += 150) {
                growth.add(tick, (long) (40 * MB + random.nextDouble(noise) + 40 * tick), check);
            }
            assertThat(check.checked()).isEqualTo(40 + 1 - Growth.LEAST_SAMPLES);
            assertThat(check.broken())
                    .as("seed " + seed + ": " + check.example())
                    .isZero();
        }
    }

    @Test
    void shouldRaiseNoAlarmForWhatIsFlat() {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double tooth = random.nextDouble(8 * MB);
            int period = random.nextInt(2, 9);
            int step = random.nextInt(200);
            int samples = random.nextInt(1, 200);
            assertThat(perTick(Growth.heap(), samples, i -> noise(random) + tooth * (i % period)))
                    .as("saw tooth " + seed)
                    .isZero();
            assertThat(perTick(Growth.heap(), samples, i -> noise(random) + (i < step ? 0 : 30 * MB)))
                    .as("one step, of an arena " + seed)
                    .isZero();
            assertThat(perTick(
                            Growth.heap(), samples, i -> noise(random) + 30 * MB * (1 - Math.exp(-i * 12.0 / samples))))
                    .as("warm-up " + seed)
                    .isZero();
            assertThat(perTick(Growth.heap(), samples, i -> noise(random) + random.nextDouble(60 * MB)))
                    .as("noise " + seed)
                    .isZero();
        }
    }

    @Test
    void shouldFindASlowLeakUnderASawTooth() {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            assertThat(perTick(Growth.heap(), 5000, i -> noise(random) + 4 * MB * (i % 7) + 5 * 500 * i))
                    .as("seed " + seed)
                    .isCloseTo(5, Percentage.withPercentage(20));
        }
    }

    @Test
    void shouldAskMoreOfResidentMemory() {
        assertThat(perTick(Growth.resident(), 60, i -> 900 * MB + MB * i)).isZero();
        assertThat(perTick(Growth.resident(), 60, i -> 100 * MB + MB * i)).isZero();
        assertThat(perTick(Growth.resident(), 60, i -> 900 * MB + 3 * MB * i)).isPositive();
        assertThat(perTick(Growth.resident(), 60, i -> 100 * MB + 3 * MB * i)).isPositive();
    }
}
