package dev.escapement.bench.machine;

import dev.escapement.bench.process.ChildProcess;
import dev.escapement.state.time.TickRate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** Runs the operating system's tool, cyclictest, as a child process, without tuning the system. */
final class Cyclictest {

    private static final Pattern BUCKET = Pattern.compile("(\\d+)\\s+(\\d+)\\s*");
    private static final Pattern OVERFLOWS = Pattern.compile("# Histogram Overflows:\\s*(\\d+).*");
    private static final Pattern MAX = Pattern.compile("# Max Latencies:\\s*(\\d+).*");
    private static final int LARGEST_MICROS = 100_000;

    private Cyclictest() {}

    /** Empty if it is not installed. */
    static Optional<Path> find() {
        return ChildProcess.onPath("cyclictest");
    }

    /** How late it wakes; with real-time priority, or with 0 without. */
    static Histogram tickFor(TickRate rate, long nanos, int priority) {
        Path program = find().orElseThrow(() -> new IllegalStateException("cyclictest is not on the PATH"));
        List<String> command = List.of(
                program.toString(),
                "--default-system",
                "--policy=" + (priority == 0 ? "other" : "fifo"),
                "--priority=" + priority,
                "--quiet",
                "--interval=" + rate.nanosAt(1) / 1000,
                "--duration=" + Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos)),
                "--histogram=" + LARGEST_MICROS);
        try {
            Process process = ChildProcess.atNormalPriority(command)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader output = process.inputReader()) {
                return parse(output.lines().toList());
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(program + " could not be run: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the histogram that it prints for one thread: whole microseconds, and how often each was seen; returns nanoseconds.
     *
     * @throws IllegalStateException if nothing was measured, with the output
     */
    static Histogram parse(List<String> lines) {
        Histogram nanos = new Histogram(5); // digits: each whole microsecond up to the largest is counted separately
        long max = 0;
        long overflows = 0;
        for (String line : lines) {
            Matcher bucket = BUCKET.matcher(line);
            if (bucket.matches()) {
                nanos.recordValueWithCount(1000 * Long.parseLong(bucket.group(1)), Long.parseLong(bucket.group(2)));
            }
            max = Math.max(max, number(MAX, line));
            overflows = Math.max(overflows, number(OVERFLOWS, line));
        }
        // All overflows count as the largest latency, the only one that is known, so that percentiles err upwards.
        nanos.recordValueWithCount(1000 * max, overflows);
        if (nanos.getTotalCount() == 0) {
            throw new IllegalStateException(
                    "cyclictest measured nothing; take it off the PATH to compare without it. It says: "
                            + String.join(" ", lines.subList(0, Math.min(3, lines.size()))));
        }
        return nanos;
    }

    private static long number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
