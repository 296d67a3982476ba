package dev.escapement.state.exchange;

import dev.escapement.state.StackEnd;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader whose acquire fails with a stack overflow still holds a whole window. */
@Timeout(120)
class ExchangeStackEndTest {

    @Test
    void shouldHoldAWholeWindowWhereTheStackEnds() throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(AcquiresAtStackEnd.class);
    }

    /**
     * Acquires at every depth of a stack down to its end, where the call overflows somewhere inside. Between two acquires the writer writes
     * every snapshot that it takes for free. If reader and writer disagreed about the held window, the window would be torn.
     */
    private static final class AcquiresAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 200;

        private final ExchangeFixture fixture = new ExchangeFixture(3, 1);
        private final SnapshotReader reader = fixture.exchange.attach();
        private final StackEnd stackEnd = new StackEnd(reader::acquire);

        @Override
        public String call() throws InterruptedException {
            for (int round = 0; round < ROUNDS; round++) {
                fixture.publish(4);
                stackEnd.reach(round);
                boolean had = reader.hasWindow();
                long newest = had ? reader.window().newestTick() : 0;
                reader.handOver();
                fixture.publish(9); // more ticks than the exchange has snapshots
                if (had && reader.window().newestTick() != newest) {
                    return "round " + round + ": tick " + newest + " was written over by "
                            + reader.window().newestTick();
                }
                if (had) {
                    ExchangeFixture.assertConsecutiveAndWhole(reader.window());
                }
                if (!reader.acquire() || reader.window().newestTick() != fixture.published) {
                    return "round " + round + ": tick " + fixture.published + " is not there";
                }
                reader.handOver();
            }
            return stackEnd.errors() < ROUNDS ? "only " + stackEnd.errors() + " acquires failed" : "";
        }
    }
}
