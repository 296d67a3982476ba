package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.JsonFile;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a JVM has to have for a scenario to mean what it says, and how a scenario is run in one that has it.
 *
 * @param says       what is needed, in a few words
 * @param flags      of the JVM
 * @param singleCore whether it is to run on a single core, the first that this process may use
 * @param isMet      whether the JVM really has it, by its own word
 */
public record JvmDemand(String says, List<String> flags, boolean singleCore, Predicate<JvmFacts> isMet) {

    /** A JVM of its own is all that is needed. */
    public static final JvmDemand ANY = new JvmDemand("any JVM", List.of(), false, facts -> true);

    /** A single core. */
    public static final JvmDemand ONE_CORE =
            new JvmDemand("a single core", List.of(), true, facts -> facts.processors() == 1);

    /** What a program is told where there is no promise to be broken. */
    public static final String NOTHING_PLANTED = "none";

    private static final long VERSION_NANOS = 60_000_000_000L;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /**
     * What a JVM says of itself.
     *
     * @param collectors the names of its garbage collectors
     * @param processors how many it may use
     */
    public record JvmFacts(List<String> collectors, int processors) {

        /** What the running JVM says. */
        public static JvmFacts ofThisJvm() {
            return new JvmFacts(
                    ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .map(GarbageCollectorMXBean::getName)
                            .toList(),
                    Runtime.getRuntime().availableProcessors());
        }
    }

    /** A garbage collector: "G1", "PARALLEL" or "ZGC", with a heap so small that it has to work. */
    public static JvmDemand collector(String name) {
        // The beans of a collector share the start of their names; the rest differs from version to version.
        String beanPrefix = name.equals("PARALLEL") ? "PS" : name;
        String flag = name.equals("ZGC") ? "-XX:+UseZGC" : "-XX:+Use" + (name.equals("G1") ? "G1" : "Parallel") + "GC";
        return new JvmDemand(
                "the collector " + name,
                List.of(flag, "-Xmx512m"),
                false,
                facts -> !facts.collectors().isEmpty()
                        && facts.collectors().stream().allMatch(bean -> bean.startsWith(beanPrefix)));
    }

    /**
     * Runs a program in such a JVM to its end, and takes over what it reports. It is given the scenario's name, its length in nanoseconds,
     * the planted promise or {@value #NOTHING_PLANTED}, and the file that it is to {@link #report}.
     *
     * @param patienceNanos how much longer than the trial it may take until it is killed
     * @throws SkippedException      if this platform has no such JVM, or the scenario was skipped there
     * @throws IllegalStateException if the JVM died, hung, had something else, or wrote no report
     */
    public void run(Class<?> main, String scenario, Trial trial, long patienceNanos)
            throws IOException, InterruptedException, SkippedException {
        List<String> version = new ArrayList<>(flags);
        version.add("-version"); // what follows it is not looked at
        Optional<String> missing = failureOf(ChildProcess.java(version, main, List.of()), VERSION_NANOS);
        if (missing.isPresent()) {
            throw new SkippedException("there is no JVM with " + says + " here: it " + missing.get());
        }
        Path file = Files.createTempFile("escapement-trial", ".json");
        try {
            List<String> arguments = List.of(
                    scenario,
                    Long.toString(trial.lengthNanos()),
                    trial.planted().map(Promise::toString).orElse(NOTHING_PLANTED),
                    file.toString());
            Optional<String> failure =
                    failureOf(ChildProcess.java(flags, main, arguments), trial.lengthNanos() + patienceNanos);
            if (failure.isPresent()) {
                throw new IllegalStateException("the JVM with " + says + " " + failure.get());
            }
            trial.takeOver(read(file));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Optional<String> failureOf(List<String> java, long mostNanos)
            throws IOException, InterruptedException, SkippedException {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(java);
        return ChildProcess.failureOf(command, mostNanos);
    }

    private TrialRun read(Path file) {
        Report report;
        TrialRun run;
        try {
            report = JsonFile.read(file, Report.class);
            run = report.run();
        } catch (RuntimeException e) { // a part is missing
            throw new IllegalStateException("the JVM with " + says + " wrote no report: " + e, e);
        }
        if (!isMet.test(report.jvm())) {
            throw new IllegalStateException(
                    "the scenario was to run with " + says + ", but its JVM says " + report.jvm());
        }
        return run;
    }

    /** Writes the file of a run in this JVM, whole or not at all. */
    public static void report(Path file, TrialRun run) {
        Map<String, String> histograms = new LinkedHashMap<>();
        run.distributions()
                .forEach((name, distribution) -> histograms.put(name, Report.encode(distribution.histogram())));
        Map<String, double[][]> timeLines = new LinkedHashMap<>();
        run.timeLines().forEach((name, series) -> timeLines.put(name, new double[][] {series.x(), series.y()}));
        JsonFile.write(file, new Report(JvmFacts.ofThisJvm(), run.outcome(), histograms, timeLines));
    }

    /** What a trial came to, as a file: its durations as HdrHistogram encodes them, in base 64, its curves as seconds and values. */
    private record Report(
            JvmFacts jvm, Outcome outcome, Map<String, String> histograms, Map<String, double[][]> timeLines) {

        /** The trial as if it had run here; throws some exception if the file left out anything. */
        TrialRun run() {
            Objects.requireNonNull(jvm.collectors(), "no collectors");
            Objects.requireNonNull(outcome.verdict(), "no verdict");
            Objects.requireNonNull(outcome.reason(), "no reason");
            outcome.checks().forEach(check -> Objects.requireNonNull(check.promise(), "no promise"));
            outcome.figures().forEach(figure -> Objects.requireNonNull(figure.grade(), "no grade"));
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
            return new TrialRun(outcome, distributions, curves);
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

    /** What starts the JVM. */
    private List<String> launcher() throws IOException, SkippedException {
        if (!singleCore) {
            return List.of();
        }
        Path taskset = ChildProcess.onPath("taskset")
                .orElseThrow(() -> new SkippedException("taskset is not on the PATH (Debian: util-linux)"));
        if (!Files.isReadable(STATUS)) {
            throw new SkippedException(STATUS + ", which names the cores of a process, is not there; Linux has it");
        }
        String firstCore = Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> line.substring(ALLOWED.length()).strip().split("[-,]", 2)[0]) // of a list such as 0-3,8
                .findFirst()
                .orElse("0");
        return List.of(taskset.toString(), "-c", firstCore);
    }

    @Override
    public String toString() {
        return says;
    }
}
