package dev.escapement.state.exchange;

import dev.escapement.state.StackEnd;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An acquire that an error ends leaves the reader with a window of its own; a publish leaves what readers hold unchanged. */
@Timeout(120)
class ExchangeStackEndTest {

    /** Each in a machine of its own, which has linked nothing yet. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void shouldHoldAWholeWindowWhereTheStackEnds(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(AcquiresAtStackEnd.class, option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
    void shouldResumeOrRefuseWhereTheStackEndedAPublish(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(PublishesAtStackEnd.class, option);
    }

    /**
     * Acquires at every depth of a stack, down to its end, where the call fails anywhere within. Between two acquires the writer goes
     * through all snapshots that it takes for free: a window that is held stays whole, or the two disagree about who has it.
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
                fixture.publish(9); // more than there are snapshots
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

    /**
     * Publishes at every depth of a stack, down to its end, where the call fails anywhere within. Afterwards the writer continues as if the
     * call had not been made, or refuses further calls: what a reader holds stays whole, and no window has a gap.
     */
    private static final class PublishesAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 400;

        private ExchangeFixture fixture = new ExchangeFixture(3, 1);
        private final StackEnd stackEnd = new StackEnd(this::publishOrRefuse);
        private int refusals;

        @Override
        public String call() throws InterruptedException {
            for (int round = 0; round < ROUNDS; round++) {
                fixture = new ExchangeFixture(3, 1);
                SnapshotReader reader = fixture.exchange.attach();
                fixture.publish(5);
                reader.acquire();
                fixture.write();
                fixture.exchange.writer().handOver();
                stackEnd.reach(round);
                try {
                    fixture.exchange.writer().checkInvariants();
                    fixture.published = Objects.requireNonNull(
                                    fixture.exchange.writer().latest())
                            .tick();
                    fixture.publish(9); // more than there are snapshots
                    if (reader.window().newestTick() != 5) {
                        return "round " + round + ": a held snapshot was written";
                    }
                    ExchangeFixture.assertConsecutiveAndWhole(reader.window());
                    reader.acquire();
                    if (reader.window().newestTick() != fixture.published) {
                        return "round " + round + ": tick " + fixture.published + " is not there";
                    }
                } catch (IllegalStateException refusal) {
                    refusals++;
                }
                ExchangeFixture.assertConsecutiveAndWhole(reader.window());
            }
            return stackEnd.errors() < ROUNDS
                    ? stackEnd.errors() + " publishes failed, then " + refusals + " refused"
                    : "";
        }

        private void publishOrRefuse() {
            try {
                fixture.exchange.writer().publish(fixture.timeline, 6 * ExchangeFixture.TICK_NANOS);
            } catch (IllegalStateException refusal) {
                // of a publish after one that failed
            }
        }
    }
}
