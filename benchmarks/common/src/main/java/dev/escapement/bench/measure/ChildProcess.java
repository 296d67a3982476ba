package dev.escapement.bench.measure;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
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

    /** The command that runs a class of this program in another JVM with the flags, of the same kind as this one. */
    public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Runs a command until it ends, or patience does, and kills it then: how it failed and the last that it wrote, empty after exit code 0. */
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

    /** Calls {@code ended} once, on a daemon thread, when this process's input ends, as it does when the parent dies. */
    public static void watchParent(Runnable ended) {
        Thread watch = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream()); // nothing is said, the end alone counts
                    } catch (IOException e) {
                        // The pipe broke, which is an end, too.
                    }
                    ended.run();
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
