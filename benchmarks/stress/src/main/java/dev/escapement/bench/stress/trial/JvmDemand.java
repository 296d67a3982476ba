package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.report.JsonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a JVM has to have for a scenario to mean what it says, and how a scenario is run in one that has it: a JVM does not start with a
 * collector that it does not have, nor does {@code taskset} without the core.
 *
 * @param says       what is needed, in a few words
 * @param flags      of the JVM
 * @param singleCore whether it is to run on a single core, the first that this process may use
 */
public record JvmDemand(String says, List<String> flags, boolean singleCore) {

    /** A JVM of its own is all that is needed. */
    public static final JvmDemand ANY = new JvmDemand("any JVM", List.of(), false);

    /** A single core. */
    public static final JvmDemand ONE_CORE = new JvmDemand("a single core", List.of(), true);

    /** What a program is told where there is no promise to be broken. */
    public static final String NOTHING_PLANTED = "none";

    private static final long VERSION_NANOS = 60_000_000_000L;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** A garbage collector: "G1", "PARALLEL" or "ZGC", with a heap so small that it has to work. */
    public static JvmDemand collector(String name) {
        String flag = name.equals("ZGC") ? "-XX:+UseZGC" : "-XX:+Use" + (name.equals("G1") ? "G1" : "Parallel") + "GC";
        return new JvmDemand("the collector " + name, List.of(flag, "-Xmx512m"), false);
    }

    /**
     * Runs a program in such a JVM to its end, and takes over what it reports. It is given the scenario's name, its length in nanoseconds,
     * the planted promise or {@value #NOTHING_PLANTED}, and the file that it is to {@link #report}.
     *
     * @param patienceNanos how much longer than the trial it may take until it is killed
     * @throws SkippedException      if this platform has no such JVM
     * @throws IllegalStateException if the JVM died, hung, or wrote no report
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

    private Outcome read(Path file) {
        try {
            Outcome outcome = JsonFile.read(file, Outcome.class);
            Stream.of(outcome.verdict(), outcome.reason(), outcome.checks(), outcome.figures(), outcome.distributions())
                    .forEach(part -> Objects.requireNonNull(part, "a part is missing"));
            return outcome;
        } catch (RuntimeException e) {
            throw new IllegalStateException("the JVM with " + says + " wrote no report: " + e, e);
        }
    }

    /** Writes the file of a run in this JVM, whole or not at all. */
    public static void report(Path file, TrialRun run) {
        JsonFile.write(file, run.outcome());
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
