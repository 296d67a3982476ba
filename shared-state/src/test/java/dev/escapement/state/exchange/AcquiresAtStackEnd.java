package dev.escapement.state.exchange;

/**
 * Acquires at every depth of a stack, down to its end, where the call fails anywhere within. Between two acquires the writer goes through
 * all snapshots that it takes for free: a window that is held stays whole, or the two disagree about who has it.
 */
final class AcquiresAtStackEnd {

    private static final int ROUNDS = 200;
    private static final long STACK_BYTES = 160_000;

    private ExchangeFixture fixture = new ExchangeFixture(3, 1);
    private final SnapshotReader reader = fixture.exchange.attach();
    private int errors;

    private AcquiresAtStackEnd() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println(findings());
    }

    /** What is wrong; empty if nothing is. */
    static String findings() throws InterruptedException {
        return new AcquiresAtStackEnd().run();
    }

    private String run() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            fixture.publish(4);
            if (round % 20 == 19) { // another exchange follows, and the next acquire moves there
                ExchangeFixture next = new ExchangeFixture(3, 1, fixture.published);
                fixture.exchange.handOnTo(next.exchange);
                fixture = next;
                fixture.publish(4);
            }
            int shift = round;
            Thread thread = new Thread(null, () -> toTheEnd(shift % 40), "deep", STACK_BYTES);
            thread.start();
            thread.join();
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
        return errors < ROUNDS ? "only " + errors + " acquires failed" : "";
    }

    /** First some frames of another size, so that the end comes at another instruction. */
    private void toTheEnd(int shift) {
        if (shift > 0) {
            toTheEnd(shift - 1);
            return;
        }
        try {
            deeper(1);
        } catch (StackOverflowError theEnd) {
            // as it was to be
        }
    }

    /** On the way back from the end, until an acquire succeeds. */
    @SuppressWarnings("InfiniteRecursion") // it is to end with the stack
    private boolean deeper(long depth) {
        boolean acquired;
        try {
            acquired = deeper(depth + 1);
        } catch (StackOverflowError theEnd) {
            acquired = false;
        }
        if (!acquired) {
            try {
                reader.acquire();
                acquired = true;
            } catch (StackOverflowError theEnd) {
                errors++;
            }
        }
        return acquired;
    }
}
