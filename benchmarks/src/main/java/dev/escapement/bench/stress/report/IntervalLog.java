package dev.escapement.bench.stress.report;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.stress.trial.TrialRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Every distribution, in nanoseconds, in the format of HdrHistogram's own tools: a line each, tagged "idle/tick-lateness". */
final class IntervalLog {

    private static final double NANOS_PER_MILLI = 1e6;

    private IntervalLog() {}

    /** The file; times are seconds since the first scenario began. */
    static byte[] bytes(List<TrialRun> runs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputComment(
                    "[Durations in nanoseconds; the tag is scenario/duration; the column of maxima is in milliseconds]");
            log.outputLegend();
            double fromSeconds = 0;
            for (TrialRun run : runs) {
                double toSeconds = fromSeconds + run.outcome().seconds();
                for (Map.Entry<String, Distribution> entry : run.distributions().entrySet()) {
                    Histogram histogram = entry.getValue().histogram().copy();
                    histogram.setTag(tag(run.outcome().scenario(), entry.getKey()));
                    log.outputIntervalHistogram(fromSeconds, toSeconds, histogram, NANOS_PER_MILLI);
                }
                fromSeconds = toSeconds;
            }
        }
        return bytes.toByteArray();
    }

    /** The format allows neither commas nor blanks in a tag. */
    static String tag(String scenario, String duration) {
        return scenario + "/" + duration.replaceAll("[^A-Za-z0-9.]+", "-");
    }
}
