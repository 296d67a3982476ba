package dev.escapement.state.exchange;

import static dev.escapement.state.exchange.ExchangeFixture.assertConsecutiveAndWhole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real threads. What each checks depends on no timing: it must hold for every interleaving. */
class ExchangeThreadedTest {

    private static final int HANDOFFS = 200_000;
    private static final int TICKS_PER_CHANGE = 3;
    private static final int VERSIONS_PER_CHANGE = 2; // time stands still, and resumes

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "3, 2"})
    void shouldNeverTearOrGapOnRealThreads(int windowSize, int readers) throws Exception {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        long firstChanges = fixture.timeline.changes();
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        try {
            List<Future<Long>> windowsRead = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                SnapshotReader reader = fixture.exchange.attach();
                windowsRead.add(threads.submit(() -> readUntilTheLastTick(reader, firstChanges)));
            }
            for (int tick = 1; tick <= HANDOFFS; tick++) {
                if (tick % TICKS_PER_CHANGE == 0) {
                    fixture.changeTimeline();
                }
                fixture.publish();
            }
            for (Future<Long> windows : windowsRead) {
                assertThat(windows.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static long readUntilTheLastTick(SnapshotReader reader, long firstChanges) {
        long windows = 0;
        long newest = 0;
        while (newest < HANDOFFS) {
            if (reader.acquire()) {
                Window window = reader.window();
                assertThat(window.newestTick()).isGreaterThan(newest);
                newest = window.newestTick();
                windows++;
            }
            if (reader.hasWindow()) {
                // After the last use, just before the next acquire.
                assertConsecutiveAndWhole(reader.window());
                assertThat(reader.window().timeline().changes())
                        .isEqualTo(firstChanges + VERSIONS_PER_CHANGE * (newest / TICKS_PER_CHANGE));
            }
        }
        return windows;
    }
}
