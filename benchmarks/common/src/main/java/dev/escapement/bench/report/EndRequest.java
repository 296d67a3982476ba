package dev.escapement.bench.report;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * Ctrl-C, or a SIGTERM such as of {@code timeout}, which sends it twice: asks the running command to end as at its normal end, with its
 * results. Ctrl-C after that ends the process at once.
 *
 * <p>Signals and not a shutdown hook: during a shutdown, other hooks delete what the command still uses.
 *
 * <p>Any thread. There is one for the process.
 */
public final class EndRequest {

    /** The exit code that shells report for an interrupted process. */
    private static final int INTERRUPTED = 130;

    private static final AtomicBoolean MADE = new AtomicBoolean();

    private EndRequest() {}

    /** From now on these signals are a request, to a command that looks at {@link #isMade} several times a second. */
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

    /** Whether the command is to end. */
    public static boolean isMade() {
        return MADE.get();
    }
}
