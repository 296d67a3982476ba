package example;

import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts an example, and says in one line what is wrong with its arguments or that there is no display. */
public final class Launcher {

    static final int WRONG_ARGUMENTS = 2;
    static final int NO_DISPLAY = 1;

    private Launcher() {}

    /** What an example does with its arguments. */
    @FunctionalInterface
    public interface Example {

        void play(Arguments arguments) throws Exception;
    }

    /** Ends the process where the example could not be started; what fails later is thrown. */
    public static void launch(String[] args, int defaultSeconds, Example example) throws Exception {
        int exitCode = launch(args, defaultSeconds, example, Display::missing, System.err);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /** Asks for what is missing only when a window is wanted. */
    static int launch(
            String[] args,
            int defaultSeconds,
            Example example,
            Supplier<Optional<String>> missingDisplay,
            PrintStream errors)
            throws Exception {
        Arguments arguments;
        try {
            arguments = Arguments.parse(args, defaultSeconds);
        } catch (IllegalArgumentException wrong) {
            errors.println(wrong.getMessage());
            return WRONG_ARGUMENTS;
        }
        Optional<String> missing = arguments.window() ? missingDisplay.get() : Optional.empty();
        if (missing.isPresent()) {
            errors.println("cannot open a window, there is no display: " + missing.get()
                    + "; leave out --window, set DISPLAY, or run it under Xvfb (xvfb-run)");
            return NO_DISPLAY;
        }
        example.play(arguments);
        return 0;
    }
}
