package dev.escapement.bench.pacing;

import dev.escapement.bench.stress.trial.ChildProcess;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** The operating system's own: cyclictest as a child process, without real-time priority and without tuning the system. */
final class Cyclictest implements Contestant.Ticker {

    private static final Pattern BUCKET = Pattern.compile("(\\d+)\\s+(\\d+)\\s*");
    private static final Pattern OVERFLOWS = Pattern.compile("# Histogram Overflows:\\s*(\\d+).*");
    private static final Pattern MAX = Pattern.compile("# Max Latencies:\\s*(\\d+).*");
    private static final int LARGEST_MICROS = 100_000;

    /** With as many, each whole microsecond up to the largest is counted by itself. */
    private static final int DIGITS = 5;

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
        return parse(Files.readAllLines(output));
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

    /**
     * Reads the histogram that it prints for one thread: whole microseconds, and how often each was seen.
     *
     * @throws IllegalStateException if nothing was measured, with what was said instead
     */
    static Lateness parse(List<String> lines) {
        Histogram micros = new Histogram(DIGITS);
        long max = 0;
        long overflows = 0;
        for (String line : lines) {
            Matcher bucket = BUCKET.matcher(line);
            if (bucket.matches()) {
                micros.recordValueWithCount(Long.parseLong(bucket.group(1)), Long.parseLong(bucket.group(2)));
            }
            max = Math.max(max, number(MAX, line));
            overflows = Math.max(overflows, number(OVERFLOWS, line));
        }
        // Beyond the histogram nothing is known but the largest; it comes last, so that percentiles err upwards.
        micros.recordValueWithCount(max, overflows);
        if (micros.getTotalCount() == 0) {
            throw new IllegalStateException(
                    "cyclictest measured nothing; take it off the PATH to compare without it. It says: "
                            + String.join(" ", lines.subList(0, Math.min(3, lines.size()))));
        }
        return new Lateness(
                micros.getTotalCount(),
                micros.getValueAtPercentile(50),
                micros.getValueAtPercentile(99),
                max,
                Double.NaN,
                Double.NaN);
    }

    private static long number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
