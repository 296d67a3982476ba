package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.JvmPauses.Totals;
import org.junit.jupiter.api.Test;

/** With the collector of this JVM, whichever it is. */
class JvmPausesTest {

    @Test
    void shouldSeeACollectionThatWasAskedFor() {
        try (JvmPauses pauses = JvmPauses.start()) {
            System.gc();
            Totals first = pauses.soFar();
            assertThat(first.pauses()).isPositive();
            assertThat(first.collections()).isPositive();
            assertThat(first.collectionNanos()).isPositive();
            assertThat(first.longestPauseNanos()).isBetween(1L, first.pauseNanos());

            System.gc();
            Totals second = pauses.soFar();
            assertThat(second.pauses()).isGreaterThan(first.pauses());
            assertThat(second.pauseNanos()).isGreaterThan(first.pauseNanos());
            assertThat(second.longestPauseNanos()).isGreaterThanOrEqualTo(first.longestPauseNanos());
        }
    }
}
