package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.TrialRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A folder with all that is known so far. Each file is rewritten, whole, after each scenario, so what follows cannot lose what came
 * before; a file that cannot be written is tried again after the next scenario.
 */
final class StressFolder {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Path page;
    private final Path json;
    private final Path log;
    private final List<TrialRun> runs = new ArrayList<>();
    private final List<StressPage.Section> sections = new ArrayList<>();
    private List<Gate.Verdict> gated = List.of();
    private String failure = "";

    /** Everything that was found, under the names of the JSON file's keys: how many scenarios held, and so on, and what came of each. */
    record StressFile(
            String java,
            int cores,
            long held,
            long broken,
            long skipped,
            List<Outcome> scenarios,
            List<Gate.Verdict> gate) {}

    /**
     * Makes the folder, if there is none.
     *
     * @throws IllegalArgumentException if nothing can be written there
     */
    StressFolder(Path folder) {
        page = folder.resolve("stress.html");
        json = folder.resolve("stress.json");
        log = folder.resolve("stress.hlog");
        for (Path file : List.of(page, json, log)) {
            WholeFile.checkWritable("--out", file);
        }
    }

    /** Keeps what came of a scenario. Never throws because of the folder: see {@link #failure()}. */
    void keep(TrialRun run) {
        runs.add(run);
        sections.add(StressPage.Section.of(run, sections.size()));
        failure = "";
        writeSummaries();
        write(log, () -> intervalLog(runs));
    }

    /** Keeps which figures are within their limits, after all scenarios. Never throws because of the folder. */
    void keep(Gate gate) {
        gated = gate.verdicts();
        writeSummaries();
    }

    private void writeSummaries() {
        List<Outcome> outcomes = outcomes();
        StressFile file = new StressFile(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Outcome.count(outcomes, Outcome.Verdict.HELD),
                Outcome.count(outcomes, Outcome.Verdict.BROKEN),
                Outcome.count(outcomes, Outcome.Verdict.SKIPPED),
                outcomes,
                gated);
        write(json, () -> JsonFile.text(file).getBytes(StandardCharsets.UTF_8));
        write(page, () -> StressPage.html(file, sections).getBytes(StandardCharsets.UTF_8));
    }

    private void write(Path file, Supplier<byte[]> content) {
        try {
            WholeFile.write(file, content.get());
        } catch (UncheckedIOException e) {
            failure = failure.isEmpty() ? String.valueOf(e.getMessage()) : failure;
        }
    }

    List<Outcome> outcomes() {
        return runs.stream().map(TrialRun::outcome).toList();
    }

    /** Why files do not have all that is known, empty if they do. */
    String failure() {
        return failure;
    }

    /** Which files there are, in a line. */
    @Override
    public String toString() {
        return "Page: " + page + "   JSON: " + json + "   Histograms: " + log;
    }

    /**
     * Every distribution, in nanoseconds, in the format of HdrHistogram's own tools: a line each, tagged "idle/tick-lateness"; times are
     * seconds since the first scenario began.
     */
    private static byte[] intervalLog(List<TrialRun> runs) {
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
    private static String tag(String scenario, String duration) {
        return scenario + "/" + duration.replaceAll("[^A-Za-z0-9.]+", "-");
    }
}
