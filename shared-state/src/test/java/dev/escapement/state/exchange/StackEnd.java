package dev.escapement.state.exchange;

/** Makes a call at every depth of a stack, from its end upwards, until one has room: the others fail anywhere within. */
final class StackEnd {

    private static final long STACK_BYTES = 160_000;

    private final Runnable call;
    private int errors;

    StackEnd(Runnable call) {
        this.call = call;
    }

    /** How many calls failed. */
    int errors() {
        return errors;
    }

    /** On a thread of its own, with other frames above for each round, so that the end comes at another instruction. */
    void reach(int round) throws InterruptedException {
        Thread thread = new Thread(null, () -> toTheEnd(round % 40), "deep", STACK_BYTES);
        thread.start();
        thread.join();
    }

    /** First some frames of another size. */
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

    /** On the way back from the end, until a call succeeds. */
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
                call.run();
                ended = true;
            } catch (StackOverflowError theEnd) {
                errors++;
            }
        }
        return ended;
    }
}
