package dev.escapement.state.exchange;

import dev.escapement.state.StackEnd;
import java.util.Objects;

/**
 * Publishes at every depth of a stack, down to its end, where the call fails anywhere within. Afterwards the writer continues as if the
 * call had not been made, or refuses further calls: what a reader holds stays whole, and no window has a gap.
 */
final class PublishesAtStackEnd {

    private static final int ROUNDS = 400;

    private ExchangeFixture fixture = new ExchangeFixture(3, 1);
    private final StackEnd stackEnd = new StackEnd(this::publishOrRefuse);
    private int refusals;

    private PublishesAtStackEnd() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println(new PublishesAtStackEnd().run());
    }

    /** What is wrong; empty if nothing is. */
    private String run() throws InterruptedException {
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
        return stackEnd.errors() < ROUNDS ? stackEnd.errors() + " publishes failed, then " + refusals + " refused" : "";
    }

    private void publishOrRefuse() {
        try {
            fixture.exchange.writer().publish(fixture.timeline, 6 * ExchangeFixture.TICK_NANOS);
        } catch (IllegalStateException refusal) {
            // of a publish after one that failed
        }
    }
}
