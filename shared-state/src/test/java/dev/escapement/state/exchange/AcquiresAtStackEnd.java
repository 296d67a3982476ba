package dev.escapement.state.exchange;

import dev.escapement.state.StackEnd;

/**
 * Acquires at every depth of a stack, down to its end, where the call fails anywhere within. Between two acquires the writer goes through
 * all snapshots that it takes for free: a window that is held stays whole, or the two disagree about who has it.
 */
final class AcquiresAtStackEnd {

    private static final int ROUNDS = 200;

    private final ExchangeFixture fixture = new ExchangeFixture(3, 1);
    private final SnapshotReader reader = fixture.exchange.attach();
    private final StackEnd stackEnd = new StackEnd(reader::acquire);

    private AcquiresAtStackEnd() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println(new AcquiresAtStackEnd().run());
    }

    /** What is wrong; empty if nothing is. */
    private String run() throws InterruptedException {
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
