package dev.escapement.bench.child;

/** The program of a child process that keeps a core busy until its input ends, as it does when the parent dies. */
public final class BusyCore {

    static final int READY = '!';

    // Written by the thread that watches, read by the one that computes; nothing else is ordered by it.
    private static volatile boolean parentLives = true;

    private BusyCore() {}

    /**
     * Says that it is ready, and computes.
     *
     * @param arguments the number of seconds after which it ends in any case
     */
    public static void main(String[] arguments) {
        long endNanos = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        ParentWatch.start(() -> parentLives = false);
        System.out.write(READY);
        System.out.flush();
        while (parentLives && System.nanoTime() - endNanos < 0) {
            // Reading the clock is work enough. No spin hint: hypervisors take the core away from those who give it.
        }
    }
}
