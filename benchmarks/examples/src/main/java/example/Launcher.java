package example;

import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Starts an example, or prints in one line why it cannot be started. */
public final class Launcher {

    static final int CANNOT_START = 2;

    private Launcher() {}

    /** An example's own main method. */
    @FunctionalInterface
    public interface Example<A extends PlayArguments> {

        void play(A arguments) throws Exception;
    }

    /** Ends the process if the example cannot be started; later failures are thrown. */
    public static <A extends PlayArguments> void launch(A arguments, String[] args, Example<A> example)
            throws Exception {
        int exitCode = launch(new CommandLine(arguments), arguments, args, example);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    static <A extends PlayArguments> int launch(CommandLine commandLine, A arguments, String[] args, Example<A> example)
            throws Exception {
        PrintWriter errors = commandLine.getErr();
        try {
            commandLine.parseArgs(args);
        } catch (ParameterException wrong) {
            errors.println(wrong.getMessage() + " (see --help)");
            return CANNOT_START;
        }
        if (arguments.helpWanted()) {
            commandLine.usage(commandLine.getOut());
            return 0;
        }
        Optional<String> obstacle = arguments.obstacle();
        if (obstacle.isPresent()) {
            errors.println(obstacle.get());
            return CANNOT_START;
        }
        example.play(arguments);
        return 0;
    }
}
