package dev.escapement.bench.report;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * Ctrl-C, or a SIGTERM such as of {@code timeout}: asks the running command to end as at its normal end, with its results. A second one
 * ends the process at once.
 *
 * <p>Signals and not a shutdown hook: during a shutdown, other hooks delete what the command still uses.
 *
 * <p>Any thread. There is one for the process.
 */
public final class EndRequest {

    /** What shells report of a process that a signal has ended is this, and the signal's number. */
    private static final int ENDED_BY_SIGNAL = 128;

    private static final int INT = 2;
    private static final int TERM = 15;

    private static final AtomicBoolean MADE = new AtomicBoolean();

    private EndRequest() {}

    /** From now on these signals are a request, to a command that looks at {@link #isMade} several times a second. */
    public static void accept() {
        MADE.set(false);
        accept("INT", INT);
        accept("TERM", TERM);
    }

    private static void accept(String signal, int number) {
        Signals.register(signal, () -> {
            if (!make()) {
                Runtime.getRuntime().halt(ENDED_BY_SIGNAL + number);
            }
            ProgressLine.clear();
            System.err.println("Ending, with the results so far. Ctrl-C again ends at once, without them.");
        });
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
