package dev.escapement.state.exchange;

import java.util.Objects;

/**
 * Publishes at every depth of a stack, down to its end, where the call fails anywhere within. Afterwards the writer goes on as if nothing had
 * been called, or refuses to: what a reader holds stays whole, and no window has a gap.
 */
final class PublishesAtStackEnd {

    private static final int ROUNDS = 400;
    private static final long STACK_BYTES = 160_000;

    private ExchangeFixture fixture = new ExchangeFixture(3, 1);
    private int errors;
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
            int shift = round;
            Thread thread = new Thread(null, () -> toTheEnd(shift % 40), "deep", STACK_BYTES);
            thread.start();
            thread.join();
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
        return errors < ROUNDS ? errors + " publishes failed, then " + refusals + " refused" : "";
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

    /** On the way back from the end, until a publish succeeds or is refused. */
    @SuppressWarnings("InfiniteRecursion") // it is to end with the stack
    private boolean deeper(long depth) {
        boolean ended;
        try {
            ended = deeper(depth + 1);
        } catch (StackOverflowError theEnd) {
            ended = false;
        }
        if (!ended) {
            try {
                fixture.exchange.writer().publish(fixture.timeline, 6 * ExchangeFixture.TICK_NANOS);
                ended = true;
            } catch (StackOverflowError theEnd) {
                errors++;
            } catch (IllegalStateException refusal) {
                ended = true;
            }
        }
        return ended;
    }
}
