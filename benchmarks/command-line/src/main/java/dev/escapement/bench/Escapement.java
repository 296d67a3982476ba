package dev.escapement.bench;

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
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.state.time.TickRate;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Finds and runs the command that the program's arguments name. */
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
            BenchCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Escapement {

    /**
     * Matches picocli's list of an enum's constants: names, and texts that differ from these in more than case. The message has each once,
     * as people type it.
     */
    private static final Pattern ENUM = Pattern.compile("\\[([\\w-, ]+)] \\(case-insensitive\\)");

    /** Commands of version 0.3 that no longer exist, each with the text that names its replacement. */
    private static final Map<String, String> GONE = Map.of(
            "wire", "'bench Codec'",
            "rewind", "'bench Rewind'",
            "worlds", "'bench Worlds'");

    private static final int FAULT = 1;
    private static final int BAD_INPUT = 2;

    private Escapement() {}

    /** Runs a command and ends the JVM with its exit code: 0 for success, 1 for a fault, 2 for bad input. */
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(Escapement::refuseExitOfOthers, "exit-watch"));
        System.setProperty("java.awt.headless", "true"); // AWT draws only into images in memory, which need no display
        // Without this setting JOML uses Unsafe, which is not faster here, and newer JDKs warn of it.
        System.setProperty("joml.nounsafe", "true");
        // Lower levels would repeat what the commands print.
        Stream.of(Logger.getLogger("").getHandlers()).forEach(handler -> handler.setLevel(Level.WARNING));
        System.exit(commandLine().execute(args));
    }

    /**
     * Ends the process with exit code 1 if the simulation's code called {@code System.exit}. Exit code 0 would claim that the run kept all
     * promises of the library. Runs in a shutdown hook.
     */
    private static void refuseExitOfOthers() {
        Thread.getAllStackTraces().values().stream()
                .flatMap(stack -> Stream.of(stack)
                        // After a signal no stack contains exit, so this leaves nothing.
                        .dropWhile(frame -> !isExit(frame))
                        .dropWhile(Escapement::isExit)
                        .limit(1))
                .filter(caller -> !caller.getClassName().equals(Escapement.class.getName()))
                .forEach(caller -> {
                    System.err.println("escapement: " + caller
                            + " called System.exit before the command had ended, so there is no verdict");
                    Runtime.getRuntime().halt(FAULT);
                });
    }

    private static boolean isExit(StackTraceElement frame) {
        return frame.getMethodName().equals("exit") && frame.getClassName().matches("java\\.lang\\.(System|Runtime)");
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Escapement()).setCommandName(ConsoleCommand.PROGRAM);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setExecutionStrategy(parsed -> {
            // Arguments that no command has; picocli accepts them beside --help.
            List<String> unmatched = parsed.unmatched();
            return !unmatched.isEmpty() && GONE.containsKey(unmatched.get(0))
                    ? complain(commandLine, gone(unmatched.get(0)), BAD_INPUT)
                    : new CommandLine.RunLast().execute(parsed);
        });
        commandLine.registerConverter(TickRate.class, Escapement::rate);
        commandLine.setParameterExceptionHandler((e, args) -> {
            String command = e.getCommandLine().getCommandSpec().qualifiedName();
            String message = says(e) + " (see '" + command + " --help')";
            return complain(e.getCommandLine(), message, BAD_INPUT);
        });
        commandLine.setExecutionExceptionHandler((e, failed, result) -> {
            Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
            boolean badPath = cause instanceof FileSystemException;
            boolean noWindow = e instanceof NoDisplayException || e instanceof NoOpenGlException;
            boolean badInput = e instanceof IllegalArgumentException || badPath || noWindow;
            boolean saysItAll = badInput || e instanceof UncheckedIOException;
            String message =
                    e instanceof FileSystemException path ? path.getFile() + ": " + WholeFile.why(path) : oneLine(e);
            return complain(failed, saysItAll ? message : e.toString(), badInput ? BAD_INPUT : FAULT);
        });
        return commandLine;
    }

    /** Reads a rate exactly: {@code 100}, {@code 59.94} or {@code 60000/1001}, in hertz. */
    static TickRate rate(String text) {
        try {
            int slash = text.indexOf('/');
            if (slash >= 0) {
                return new TickRate(
                        Long.parseLong(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1)));
            }
            BigDecimal hertz = new BigDecimal(text);
            if (Math.abs((long) hertz.scale()) > 18 || hertz.precision() > 18) {
                throw new TypeConversionException("'" + text + "' has more digits than a tick rate can hold");
            }
            BigInteger denominator = BigInteger.TEN.pow(Math.max(0, hertz.scale()));
            BigInteger numerator = hertz.multiply(new BigDecimal(denominator)).toBigIntegerExact();
            BigInteger divisor = numerator.gcd(denominator).max(BigInteger.ONE);
            return new TickRate(
                    numerator.divide(divisor).longValueExact(),
                    denominator.divide(divisor).longValueExact());
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is not a rate in hertz; write 100, 59.94 or 60000/1001");
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static int complain(CommandLine commandLine, String message, int exitCode) {
        commandLine.getErr().println("escapement: " + message);
        return exitCode;
    }

    private static String gone(String command) {
        return command + ": gone in 0.4; use " + GONE.get(command);
    }

    /** Describes bad input, and names the option or command that it resembles. */
    private static String says(ParameterException e) {
        CommandLine command = e.getCommandLine();
        boolean isRoot = command.getParent() == null;
        String commands =
                "the commands are " + String.join(", ", command.getSubcommands().keySet());
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return isRoot ? "name a command; " + commands : oneLine(e);
        }
        String first = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        if (isRoot && GONE.containsKey(first)) {
            return gone(first);
        }
        String kind = first.startsWith("-") ? "option" : isRoot ? "command" : "argument";
        String message = "there is no " + kind + " '" + first + "'";
        Stream<String> names = Stream.concat(
                command.getSubcommands().keySet().stream(), command.getCommandSpec().optionsMap().keySet().stream());
        return Stream.concat(
                        names.filter(name -> letters(name).equals(letters(first))), unmatched.getSuggestions().stream())
                .findFirst()
                .map(meant -> message + "; did you mean '" + meant + "'?")
                .orElse(isRoot ? message + "; " + commands : message);
    }

    /** Reduces a name to its letters in a fixed order. Names match if letters are exchanged or dashes missing, which picocli misses. */
    private static String letters(String name) {
        char[] letters = name.toLowerCase(Locale.ROOT).replace("-", "").toCharArray();
        Arrays.sort(letters);
        return String.valueOf(letters);
    }

    private static String oneLine(Exception e) {
        String line = String.valueOf(e.getMessage())
                .replaceAll("\\s*\\R\\s*", " ")
                .replace("is not an int", "is not a whole number");
        return ENUM.matcher(line)
                .replaceAll(names -> Stream.of(names.group(1)
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-')
                                .split(", "))
                        .distinct()
                        .collect(Collectors.joining(", ", "[", "]")));
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Escapement.class.getPackage().getImplementationVersion();
            return new String[] {"escapement " + (version == null ? "(not packaged)" : version)};
        }
    }
}
