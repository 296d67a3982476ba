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

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "3, 2"})
    void shouldNeverTearOrGapOnRealThreads(int windowSize, int readers) throws Exception {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        try {
            List<Future<Long>> windowsRead = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                SnapshotReader reader = fixture.exchange.attach();
                windowsRead.add(threads.submit(() -> readUntilTheLastTick(reader)));
            }
            fixture.publish(HANDOFFS);
            for (Future<Long> windows : windowsRead) {
                assertThat(windows.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static long readUntilTheLastTick(SnapshotReader reader) {
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
                assertConsecutiveAndWhole(reader.window()); // after the last use, just before the next acquire
            }
        }
        return windows;
    }
}
