package dev.escapement.bench.report;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * The request to end the running command as at its normal end, with its results. Ctrl-C makes the request, or a SIGTERM, for example of
 * {@code timeout}, which sends it twice. Another Ctrl-C ends the process at once.
 *
 * <p>It uses signals and not a shutdown hook: during a shutdown, other hooks delete what the command still uses.
 *
 * <p>Any thread. There is one request per process.
 */
public final class EndRequest {

    /** The exit code that shells report for an interrupted process. */
    private static final int INTERRUPTED = 130;

    private static final AtomicBoolean MADE = new AtomicBoolean();

    private EndRequest() {}

    /** Makes the signals a request from now on. The command must look at {@link #isMade} several times a second. */
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

    /** Makes a request. Returns whether it is the first. */
    public static boolean make() {
        return !MADE.getAndSet(true);
    }

    /** Whether the command must end. */
    public static boolean isMade() {
        return MADE.get();
    }
}
