package dev.escapement.state.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.machine.JvmPauses.Totals;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Event;
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

    @Test
    void shouldNotSwitchOnEventsOfApplications() {
        OfAnApplication before = new OfAnApplication();
        try (JvmPauses pauses = JvmPauses.start()) {
            pauses.soFar();
            assertThat(before.isEnabled()).isFalse();
        }
    }

    private static final class OfAnApplication extends Event {}

    @Test
    void shouldTellWhenThePauseWasByTheClock() {
        List<long[]> told = new CopyOnWriteArrayList<>();
        try (JvmPauses pauses = JvmPauses.start((fromNanos, toNanos, name) -> {
            assertThat(name).isNotEmpty();
            told.add(new long[] {fromNanos, toNanos});
        })) {
            pauses.soFar(); // an event whose instant is known
            long beforeNanos = System.nanoTime();
            System.gc();
            long afterNanos = System.nanoTime();
            pauses.soFar();
            long slack = 100_000; // the recorder's clock and ours are read one after the other
            assertThat(told).anyMatch(pause -> pause[0] - beforeNanos > -slack && afterNanos - pause[1] > -slack);
        }
    }
}
