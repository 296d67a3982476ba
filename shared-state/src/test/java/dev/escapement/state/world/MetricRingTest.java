package dev.escapement.state.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MetricRingTest {

    private enum Metric {
        NUMBER,
        TWICE
    }

    private final MetricRing<Metric> ring = new MetricRing<>(4, Metric.class);

    @Test
    void shouldKeepAllRowsButOneAndCountMissedOnes() {
        MetricRing<Metric>.Reader slow = ring.newReader();
        MetricRing<Metric>.Reader justInTime = ring.newReader();
        for (int number = 1; number <= 3; number++) {
            write(ring, number);
        }
        assertThat(justInTime.next()).isTrue();
        assertThat(justInTime.get(Metric.NUMBER)).isEqualTo(1);
        assertThat(justInTime.missed()).isZero();

        for (int number = 4; number <= 10; number++) {
            write(ring, number);
        }
        for (int number = 8; number <= 10; number++) {
            assertThat(slow.next()).isTrue();
            assertThat(slow.get(Metric.NUMBER)).isEqualTo(number);
        }
        assertThat(slow.next()).isFalse();
        assertThat(slow.missed()).isEqualTo(7);
    }

    @Test
    void shouldShowNoUnfinishedRowNorItsMetrics() {
        MetricRing<Metric>.Reader reader = ring.newReader();
        ring.begin();
        ring.set(Metric.NUMBER, 1);
        ring.set(Metric.TWICE, 2);
        assertThat(reader.next()).isFalse();

        ring.begin(); // the tick threw, so the next one begins the same row
        ring.set(Metric.NUMBER, 5);
        ring.end();
        assertThat(reader.next()).isTrue();
        assertThat(reader.get(Metric.NUMBER)).isEqualTo(5);
        assertThat(reader.get(Metric.TWICE)).isZero();
    }

    @Test
    void shouldRefuseSizesThatNoRingCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MetricRing<>(1000, Metric.class))
                .withMessageContaining("has 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MetricRing<>(1, Metric.class))
                .withMessageContaining("a power of two of rows, at least 2, but has 1");
    }

    private static void write(MetricRing<Metric> to, long number) {
        to.begin();
        to.set(Metric.NUMBER, number);
        to.set(Metric.TWICE, 2 * number);
        to.end();
    }
}
