package dev.escapement.bench;

import static java.util.Map.entry;

import dev.escapement.bench.cluster.ClusterCommand;
import dev.escapement.bench.compare.CompareCommand;
import dev.escapement.bench.jmh.BenchCommand;
import dev.escapement.bench.machine.MachineCommand;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.ReplayCommand;
import dev.escapement.bench.run.RunCommand;
import dev.escapement.bench.run.WatchCommand;
import dev.escapement.bench.stress.StressCommand;
import dev.escapement.bench.wire.WireCommand;
import dev.escapement.state.time.TickRate;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
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
            ClusterCommand.class,
            CompareCommand.class,
            StressCommand.class,
            MachineCommand.class,
            WireCommand.class,
            BenchCommand.class
        })
public final class Escapement {

    /** Options and commands of 0.2.0 that no longer exist, and their replacements. */
    private static final Map<String, String> GONE = Map.ofEntries(
            entry("pacing", "'pacing' is part of 'machine' now: 'machine --rate 100 --seconds 2'"),
            entry("film", "B in 'run --window' shows both sides"),
            entry("flood", "'flood' is part of 'stress' now: 'stress flood'"),
            entry("handoffs", "'handoffs' is part of 'stress' now: 'stress handoffs'"),
            entry("sync-test", "'sync-test' is part of 'replay' now: 'replay --sync-test jolt --ticks 500'"),
            entry("ratios", "'ratios' is part of 'bench' now: 'bench ratios'"),
            entry("cost", "'cost' is part of 'bench' now: 'bench cost'"),
            entry("readers", "'readers' is part of 'bench' now: 'bench readers'"),
            entry("run --look-ahead", "a PredictionError measures it in a program of your own"),
            entry("watch --record", "Aeron Archive records a channel, 'run --record FILE' a run"),
            entry("watch --replay", "Aeron Archive replays a channel, 'replay FILE' a run"),
            entry("watch --from", "Aeron Archive replays a channel, 'replay FILE' a run"),
            entry("watch --speed", "Aeron Archive replays a channel, 'replay FILE' a run"),
            entry(
                    "replay --from",
                    "the page of 'replay FILE --live' goes back; 'replay FILE --verify' names the first tick that differs"),
            entry(
                    "cluster --viewer",
                    "AeronReceiver.startOfReplicas follows the leader; results/cluster.md has its gaps"),
            entry("compare --live", "use 'run --live' and add ?pictures=3 to its address"),
            entry("wire --ticks", "both scenes run as long as results/wire.md says"),
            entry("wire --out", "'wire --json FILE' says where the metrics go"));

    private static final int FAULT = 1;
    private static final int BAD_INPUT = 2;

    private Escapement() {}

    /** Runs a command and ends the JVM with its exit code: 0, 1 for a fault, 2 for bad input. */
    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true"); // images in memory need no display
        System.setProperty("joml.nounsafe", "true"); // Unsafe is not faster here, and newer JDKs warn of it
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Escapement()).setCommandName(ConsoleCommand.PROGRAM);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.registerConverter(TickRate.class, Escapement::rate);
        commandLine.setParameterExceptionHandler((e, args) -> {
            String command = e.getCommandLine().getCommandSpec().qualifiedName();
            String message = says(e) + " (see '" + command + " --help')";
            return complain(e.getCommandLine(), message, BAD_INPUT);
        });
        commandLine.setExecutionExceptionHandler((e, failed, result) -> {
            Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
            boolean badPath = cause instanceof FileSystemException;
            boolean badInput = e instanceof IllegalArgumentException || badPath;
            boolean saysItAll = badInput || e instanceof UncheckedIOException;
            String message =
                    e instanceof FileSystemException path ? path.getFile() + ": " + WholeFile.why(path) : oneLine(e);
            return complain(failed, saysItAll ? message : e.toString(), badInput ? BAD_INPUT : FAULT);
        });
        return commandLine;
    }

    private static TickRate rate(String value) {
        try {
            return TickRate.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static int complain(CommandLine commandLine, String message, int exitCode) {
        commandLine.getErr().println("escapement: " + message);
        return exitCode;
    }

    /** What is wrong, and what may have been meant. */
    private static String says(ParameterException e) {
        CommandLine command = e.getCommandLine();
        boolean isRoot = command.getParent() == null;
        String commands =
                "the commands are " + String.join(", ", command.getSubcommands().keySet());
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return isRoot ? "name a command; " + commands : oneLine(e);
        }
        String first = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        String message = isRoot && !first.startsWith("-") ? "there is no command '" + first + "'" : oneLine(e);
        String instead = GONE.get(isRoot ? first : command.getCommandName() + " " + first);
        if (instead != null) {
            return message + ", which went after 0.2.0; " + instead;
        }
        List<String> suggestions = unmatched.getSuggestions();
        return message
                + (!suggestions.isEmpty()
                        ? "; did you mean '" + suggestions.get(0) + "'?"
                        : isRoot ? "; " + commands : "");
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
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
