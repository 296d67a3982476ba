package dev.escapement.bench.child;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a child process to its end, which it may have to be brought to. */
public final class ChildRun {

    private static final int TAIL_BYTES = 4096;
    private static final int TAIL_LINES = 5;

    private ChildRun() {}

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
        // Into a file: nobody has to read along for the child to go on.
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
}
