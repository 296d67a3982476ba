package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.stress.trial.JvmDemand.JvmFacts;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a trial in a JVM of its own came to, as a file.
 *
 * @param jvm        what the JVM says of itself
 * @param outcome    what came of the scenario
 * @param histograms its durations, as HdrHistogram encodes them, in base 64
 * @param timeLines  its curves: seconds, and as many values
 */
public record ChildReport(
        JvmFacts jvm, Outcome outcome, Map<String, String> histograms, Map<String, double[][]> timeLines) {

    /** Writes the file of a run in this JVM, whole or not at all. */
    public static void write(Path file, TrialRun run) {
        Map<String, String> histograms = new LinkedHashMap<>();
        run.distributions().forEach((name, distribution) -> histograms.put(name, encode(distribution.histogram())));
        Map<String, double[][]> timeLines = new LinkedHashMap<>();
        run.timeLines().forEach((name, series) -> timeLines.put(name, new double[][] {series.x(), series.y()}));
        JsonFile.write(file, new ChildReport(JvmFacts.ofThisJvm(), run.outcome(), histograms, timeLines));
    }

    /** The trial as if it had run here. Throws some exception if the file left out anything. */
    TrialRun run() {
        Objects.requireNonNull(jvm.collectors(), "no collectors");
        Map<String, Distribution> distributions = new LinkedHashMap<>();
        histograms.forEach((name, encoded) -> {
            Distribution distribution = new Distribution();
            distribution.histogram().add(decode(name, encoded));
            distributions.put(name, distribution);
        });
        Map<String, Series> curves = new LinkedHashMap<>();
        timeLines.forEach((name, points) -> {
            Series series = new Series(points[0].length);
            for (int i = 0; i < points[0].length; i++) {
                series.add(points[0][i], points[1][i]);
            }
            curves.put(name, series);
        });
        return new TrialRun(Objects.requireNonNull(outcome, "no outcome"), distributions, curves);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    private static Histogram decode(String name, String encoded) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
        } catch (DataFormatException | RuntimeException e) { // it reads beyond the end of what was cut off
            throw new IllegalArgumentException("the histogram '" + name + "' cannot be read: " + e, e);
        }
    }
}
