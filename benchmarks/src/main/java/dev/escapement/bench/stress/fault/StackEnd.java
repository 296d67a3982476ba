package dev.escapement.bench.stress.fault;

/** The end of a thread's stack. */
final class StackEnd {

    private StackEnd() {}

    /** Makes a call where there is no room for it, and again with a little more each time, until it returns. */
    static void call(Runnable call) {
        if (!dive(call)) {
            call.run();
        }
    }

    @SuppressWarnings("InfiniteRecursion") // that is what it is for
    private static boolean dive(Runnable call) {
        try {
            if (dive(call)) {
                return true;
            }
            call.run();
            return true;
        } catch (StackOverflowError | InternalError noRoom) { // the latter where a call is linked
            return false;
        }
    }

    /** Overflows the stack of this thread. */
    @SuppressWarnings("InfiniteRecursion")
    static int overflow(int depth) {
        return overflow(depth + 1) + 1; // no tail call, and used
    }
}
