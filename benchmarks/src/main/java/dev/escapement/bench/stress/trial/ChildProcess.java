package dev.escapement.bench.stress.trial;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Child processes: found, started, waited for within bounds, and ended with their parent. */
public final class ChildProcess {

    private static final int TAIL_BYTES = 4096;
    private static final int TAIL_LINES = 5;

    private ChildProcess() {}

    /** The program of that name on the PATH. */
    public static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * A process that runs at normal priority, even where this one was given real-time priority, which children inherit: busy
     * children would stop the machine.
     */
    public static ProcessBuilder atNormalPriority(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("chrt").ifPresent(chrt -> whole.addAll(List.of(chrt.toString(), "-o", "0")));
        whole.addAll(command);
        return new ProcessBuilder(whole);
    }

    /**
     * The command that runs a class of this program in another JVM, of the same kind as this one.
     *
     * @param flags     of the JVM
     * @param main      what to run
     * @param arguments what it is given
     */
    public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Waits until the process has ended, or patience has, and kills it then.
     *
     * @param command       what to run
     * @param patienceNanos how long to wait
     * @return empty if it ended with exit code 0, else how it ended and the last that it wrote
     * @throws IOException if it cannot be started
     */
    public static Optional<String> failureOf(List<String> command, long patienceNanos)
            throws IOException, InterruptedException {
        // Into a file, so that the child goes on without a reader of its output.
        Path output = Files.createTempFile("escapement-child", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(patienceNanos, TimeUnit.NANOSECONDS)) {
                    double seconds = patienceNanos / 1e9;
                    return Optional.of("did not end within " + seconds + " s and was killed; it wrote" + tail(output));
                }
            } finally {
                process.destroyForcibly().onExit().join();
            }
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of("ended with exit code " + process.exitValue() + "; it wrote" + tail(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** The last lines in one. */
    private static String tail(Path output) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES);
        try (FileChannel file = FileChannel.open(output)) {
            file.read(bytes, Math.max(0, file.size() - TAIL_BYTES));
        }
        List<String> lines = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.isEmpty()
                ? " nothing"
                : lines.stream()
                        .skip(Math.max(0, lines.size() - TAIL_LINES))
                        .collect(Collectors.joining(" | ", ": ", ""));
    }

    /**
     * Tells a child process when its input ends, as it does when the parent dies.
     *
     * @param ended called once, on a daemon thread
     */
    public static void watchParent(Runnable ended) {
        Thread watch = new Thread(
                () -> {
                    awaitEndOfInput();
                    ended.run();
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said, the end alone counts
            }
        } catch (IOException e) {
            // The pipe broke, which is an end, too.
        }
    }
}
