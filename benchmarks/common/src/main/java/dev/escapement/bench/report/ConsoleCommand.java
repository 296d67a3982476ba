package dev.escapement.bench.report;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base class of all commands: options such as --help, output of lines, and bounds of numbers. Main thread. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
public abstract class ConsoleCommand implements Callable<Integer> {

    /** How a person starts this program, for messages that suggest a command. The script beside the jar sets it to its own name. */
    public static final String PROGRAM =
            System.getProperty("escapement.program", program(System.getProperty("java.class.path")));

    /** The command's description; picocli sets it. */
    @Spec
    protected CommandSpec spec;

    static String program(String classPath) {
        return classPath.matches("[^;:]+\\.jar") ? "java -jar " + classPath : "escapement";
    }

    /** Prints a line, and removes the progress bar before it. */
    protected final void say(String text) {
        ProgressLine.clear();
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    /** Checks an option's value. Throws an {@link IllegalArgumentException} if it is out of range. */
    public static void check(String option, int value, int least, int max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    option + " must be between " + least + " and " + max + ", but is " + value);
        }
    }
}
