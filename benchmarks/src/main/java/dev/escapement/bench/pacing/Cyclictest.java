package dev.escapement.bench.pacing;

import dev.escapement.bench.child.ChildProcess;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The operating system's own: cyclictest as a child process, without real-time priority and without tuning the system. */
final class Cyclictest implements Ticker {

    private static final int LARGEST_MICROS = 100_000;
    private static final int END_SECONDS = 20;

    private final Path program;

    private Cyclictest(Path program) {
        this.program = program;
    }

    /** Empty if it is not installed. */
    static Optional<Cyclictest> find() {
        return ChildProcess.onPath("cyclictest").map(Cyclictest::new);
    }

    @Override
    public Lateness tickFor(TickRate rate, int seconds) throws InterruptedException {
        try {
            Path output = Files.createTempFile("cyclictest", ".txt");
            try {
                return run(rate, seconds, output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(program + " could not be run: " + e.getMessage(), e);
        }
    }

    /** Through a file: waiting for a process can be interrupted, reading from it cannot. */
    private Lateness run(TickRate rate, int seconds, Path output) throws IOException, InterruptedException {
        Process process = ChildProcess.atNormalPriority(command(rate, seconds))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(seconds + END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        program + " did not end " + END_SECONDS + " s after its " + seconds + " s were over");
            }
        } finally {
            process.destroyForcibly();
        }
        return CyclictestOutput.parse(Files.readAllLines(output));
    }

    private List<String> command(TickRate rate, int seconds) {
        return List.of(
                program.toString(),
                "--default-system",
                "--policy=other",
                "--quiet",
                "--interval=" + rate.nanosAt(1) / 1000,
                "--duration=" + seconds,
                "--histogram=" + LARGEST_MICROS);
    }
}
