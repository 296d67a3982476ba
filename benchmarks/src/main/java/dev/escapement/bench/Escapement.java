package dev.escapement.bench;

import dev.escapement.bench.cluster.ClusterCommand;
import dev.escapement.bench.compare.CompareCommand;
import dev.escapement.bench.jmh.BenchCommand;
import dev.escapement.bench.jmh.CostCommand;
import dev.escapement.bench.jmh.RatiosCommand;
import dev.escapement.bench.jmh.ReadersCommand;
import dev.escapement.bench.machine.MachineCommand;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.ReplayCommand;
import dev.escapement.bench.run.RunCommand;
import dev.escapement.bench.run.SyncTestCommand;
import dev.escapement.bench.run.WatchCommand;
import dev.escapement.bench.stress.FloodCommand;
import dev.escapement.bench.stress.HandoffsCommand;
import dev.escapement.bench.stress.StressCommand;
import dev.escapement.bench.wire.WireCommand;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. */
@Command(
        name = "escapement",
        description = "A physics thread that ticks at an exact rate, and render threads that show it smoothly.",
        mixinStandardHelpOptions = true,
        versionProvider = Escapement.Version.class,
        subcommands = {
            RunCommand.class,
            WatchCommand.class,
            ReplayCommand.class,
            SyncTestCommand.class,
            ClusterCommand.class,
            CompareCommand.class,
            Escapement.Film.class,
            StressCommand.class,
            MachineCommand.class,
            RatiosCommand.class,
            FloodCommand.class,
            HandoffsCommand.class,
            ReadersCommand.class,
            Escapement.Pacing.class,
            CostCommand.class,
            WireCommand.class,
            BenchCommand.class
        })
public final class Escapement {

    private static final int FAULT = 1;
    private static final int BAD_INPUT = 2;

    private Escapement() {}

    /** Runs a command and ends the JVM with its exit code: 0, 1 for a fault, 2 for bad input. */
    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true"); // pictures are drawn into files
        System.setProperty("joml.nounsafe", "true"); // nothing gained by Unsafe here, and newer JDKs warn of it
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Escapement());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setParameterExceptionHandler((e, args) -> {
            String command = e.getCommandLine().getCommandSpec().qualifiedName();
            String message = oneLine(e) + didYouMean(e) + " (see '" + command + " --help')";
            return complain(e.getCommandLine(), message, BAD_INPUT);
        });
        commandLine.setExecutionExceptionHandler((e, failed, result) -> {
            Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
            boolean badPath = cause instanceof FileSystemException;
            boolean badInput = e instanceof IllegalArgumentException || badPath;
            boolean saysItAll = badInput || e instanceof UncheckedIOException;
            String message = badPath && cause == e ? pathAndReason((FileSystemException) cause) : oneLine(e);
            return complain(failed, saysItAll ? message : e.toString(), badInput ? BAD_INPUT : FAULT);
        });
        return commandLine;
    }

    private static int complain(CommandLine commandLine, String message, int exitCode) {
        commandLine.getErr().println("escapement: " + message);
        return exitCode;
    }

    private static String didYouMean(ParameterException e) {
        List<String> suggestions =
                e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return suggestions.isEmpty() ? "" : "; did you mean '" + suggestions.get(0) + "'?";
    }

    private static String pathAndReason(FileSystemException e) {
        return e.getFile() + ": " + WholeFile.why(e);
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    }

    /** A command of 0.2.0. */
    @Command(name = "pacing", hidden = true, mixinStandardHelpOptions = true, description = "Is part of 'machine' now.")
    static final class Pacing extends Gone {
        Pacing() {
            super("'pacing' is part of 'machine' now: 'machine --rate 100 --seconds 2'");
        }
    }

    /** A command of 0.2.0. */
    @Command(name = "film", hidden = true, mixinStandardHelpOptions = true, description = "Is B in 'run --window' now.")
    static final class Film extends Gone {
        Film() {
            super(
                    "'film' went after 0.2.0: B in 'run --window' shows both sides; the film is benchmarks/docs/film.gif");
        }
    }

    /** A command that went: whatever it is given, it says in one line what replaced it. */
    private abstract static class Gone implements Callable<Integer> {

        @Unmatched
        @SuppressWarnings("UnusedVariable") // picocli puts there what is not looked at
        private List<String> ignored = new ArrayList<>();

        private final String answer;

        Gone(String answer) {
            this.answer = answer;
        }

        @Override
        public Integer call() {
            throw new IllegalArgumentException(answer);
        }
    }

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Escapement.class.getPackage().getImplementationVersion();
            return new String[] {"escapement " + (version == null ? "(not packaged)" : version)};
        }
    }
}
