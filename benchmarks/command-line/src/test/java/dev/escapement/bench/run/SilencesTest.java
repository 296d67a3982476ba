package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SilencesTest {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final Silences silences = new Silences();

    /** The age is the integral of the time since the last packet, over silences of a second or more. */
    @Test
    void shouldSumUpSilencesOfASecondOrMore() {
        SplittableRandom random = new SplittableRandom(8);
        long all = 0;
        double age = 0;
        for (int i = 0; i < 20; i++) {
            long nanos = random.nextLong(3 * SECOND_NANOS);
            for (long silent = 0; silent < nanos; silent += 10_000_000) {
                silences.look(silent);
            }
            silences.look(nanos);
            long counted = nanos >= SECOND_NANOS ? nanos : 0;
            all += counted;
            age += (counted / 1e9) * (counted / 1e9) / 2;
            assertThat(silences.nanos()).isEqualTo(all);
            assertThat(silences.lastingNanos()).isEqualTo(counted);
            assertThat(silences.age()).isCloseTo(age, within(1e-9));
            silences.look(0);
            assertThat(silences.lastingNanos()).isZero();
        }
        assertThat(all).isPositive();
    }
}
