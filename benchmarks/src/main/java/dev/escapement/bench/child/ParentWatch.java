package dev.escapement.bench.child;

import java.io.IOException;

/** Tells a child process when its input ends, as it does when the parent dies. */
public final class ParentWatch {

    private ParentWatch() {}

    /** Starts to watch, on a daemon thread that calls {@code ended} once. */
    public static void start(Runnable ended) {
        Thread watch = new Thread(
                () -> {
                    awaitEndOfInput();
                    ended.run();
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said, the end alone counts
            }
        } catch (IOException e) {
            // The pipe broke, which is an end, too.
        }
    }
}
