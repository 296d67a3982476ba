package dev.escapement.bench.report;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shared by all commands: prints lines immediately, and refuses numbers out of range. Main thread. */
@SuppressWarnings("NullAway.Init") // picocli sets the command
public abstract class ConsoleCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Prints a text and ends its line. */
    protected final void say(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    /**
     * Checks an option's value.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static void check(String option, int value, int least, int max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    option + " must be between " + least + " and " + max + ", but is " + value);
        }
    }
}
