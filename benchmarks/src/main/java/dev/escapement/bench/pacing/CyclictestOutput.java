package dev.escapement.bench.pacing;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the histogram that cyclictest prints: whole microseconds, and how often each was seen. */
final class CyclictestOutput {

    private static final Pattern BUCKET = Pattern.compile("(\\d+)\\s+(\\d+)\\s*");
    private static final Pattern OVERFLOWS = Pattern.compile("# Histogram Overflows:\\s*(\\d+).*");
    private static final Pattern MAX = Pattern.compile("# Max Latencies:\\s*(\\d+).*");

    private final NavigableMap<Long, Long> countByMicros = new TreeMap<>();
    private long total;

    private CyclictestOutput() {}

    /**
     * Reads the output of one thread.
     *
     * @throws IllegalStateException if nothing was measured, with what was said instead
     */
    static Lateness parse(List<String> lines) {
        CyclictestOutput output = new CyclictestOutput();
        long max = 0;
        long overflows = 0;
        for (String line : lines) {
            Matcher bucket = BUCKET.matcher(line);
            if (bucket.matches()) {
                output.add(Long.parseLong(bucket.group(1)), Long.parseLong(bucket.group(2)));
            }
            max = Math.max(max, number(MAX, line));
            overflows = Math.max(overflows, number(OVERFLOWS, line));
        }
        // Beyond the histogram nothing is known but the largest; it comes last, so that percentiles err upwards.
        output.add(max, overflows);
        if (output.total == 0) {
            throw new IllegalStateException(
                    "cyclictest measured nothing; take it off the PATH to compare without it. It says: "
                            + String.join(" ", lines.subList(0, Math.min(3, lines.size()))));
        }
        return new Lateness(output.total, output.percentile(50), output.percentile(99), max, Double.NaN, Double.NaN);
    }

    private static long number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private void add(long micros, long count) {
        if (count > 0) {
            countByMicros.merge(micros, count, Long::sum);
            total += count;
        }
    }

    private double percentile(int percent) {
        long rank = (total * percent + 99) / 100;
        long seen = 0;
        for (var bucket : countByMicros.entrySet()) {
            seen += bucket.getValue();
            if (seen >= rank) {
                return bucket.getKey();
            }
        }
        return countByMicros.lastKey();
    }
}
