package dev.escapement.bench.report;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * The request that the running command ends as if its time were over, with its results. A Ctrl-C or a SIGTERM makes the request; {@code
 * timeout} sends SIGTERM twice. A second Ctrl-C ends the process at once.
 *
 * <p>Signal handlers make it, not a shutdown hook, because during a shutdown other hooks already delete what the command still uses.
 *
 * <p>Any thread may use it. There is one request per process.
 */
public final class EndRequest {

    private static final int INTERRUPTED = 130;

    private static final AtomicBoolean MADE = new AtomicBoolean();

    private EndRequest() {}

    /**
     * Forgets an earlier request. From now on the signals make a request instead of ending the process. The command must poll {@link
     * #isMade} several times a second.
     */
    public static void accept() {
        MADE.set(false);
        Signals.register("TERM", EndRequest::makeAndSay);
        Signals.register("INT", () -> {
            if (!makeAndSay()) {
                Runtime.getRuntime().halt(INTERRUPTED);
            }
        });
    }

    private static boolean makeAndSay() {
        boolean isFirst = make();
        if (isFirst) {
            ProgressLine.clear();
            System.err.println("Ending, with the results so far. Ctrl-C ends at once, without them.");
        }
        return isFirst;
    }

    /** Makes the request. Returns false if it was already made. */
    public static boolean make() {
        return !MADE.getAndSet(true);
    }

    public static boolean isMade() {
        return MADE.get();
    }
}
