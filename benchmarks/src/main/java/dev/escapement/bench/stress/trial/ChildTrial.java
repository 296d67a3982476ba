package dev.escapement.bench.stress.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a program in a JVM that has what was demanded, and takes over what it reports. The program is given the scenario's name,
 * its length in nanoseconds, the planted promise or {@value #NOTHING_PLANTED}, and the file for its {@link ChildReport}.
 */
public final class ChildTrial {

    /** Where there is no promise to be broken. */
    public static final String NOTHING_PLANTED = "none";

    private static final long VERSION_NANOS = 60_000_000_000L;

    private final Class<?> main;
    private final JvmDemand demand;
    private final long patienceNanos;

    /**
     * A trial to be run once or more often.
     *
     * @param main          the program
     * @param demand        what its JVM is to have
     * @param patienceNanos how much longer than the trial it may take until it is killed
     */
    public ChildTrial(Class<?> main, JvmDemand demand, long patienceNanos) {
        this.main = main;
        this.demand = demand;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Runs the program to its end.
     *
     * @throws SkippedException      if this platform has no such JVM, or the scenario was skipped there
     * @throws IllegalStateException if the JVM died, hung, had something else, or wrote no report
     */
    public void run(String scenario, Trial trial) throws IOException, InterruptedException, SkippedException {
        requireJvm();
        Path folder = Files.createTempDirectory("escapement-trial");
        Path file = folder.resolve("trial.json");
        try {
            List<String> arguments = List.of(
                    scenario,
                    Long.toString(trial.lengthNanos()),
                    trial.planted().map(Promise::toString).orElse(NOTHING_PLANTED),
                    file.toString());
            Optional<String> failure = ChildProcess.failureOf(
                    command(ChildProcess.java(demand.flags(), main, arguments)), trial.lengthNanos() + patienceNanos);
            if (failure.isPresent()) {
                throw new IllegalStateException("the JVM with " + demand + " " + failure.get());
            }
            takeOver(read(file), trial);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    /** A JVM that does not even tell its version under these flags cannot be had here. */
    private void requireJvm() throws IOException, InterruptedException, SkippedException {
        List<String> version = ChildProcess.java(demand.flags(), main, List.of());
        version.add(1 + demand.flags().size(), "-version"); // what follows it is not looked at
        Optional<String> failure = ChildProcess.failureOf(command(version), VERSION_NANOS);
        if (failure.isPresent()) {
            throw new SkippedException("there is no JVM with " + demand + " here: it " + failure.get());
        }
    }

    private List<String> command(List<String> java) throws SkippedException {
        List<String> command = new ArrayList<>(demand.launcher());
        command.addAll(java);
        return command;
    }

    private ChildReport read(Path file) {
        try {
            return ChildReport.read(file);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the JVM with " + demand + " wrote no report: " + e.getMessage(), e);
        }
    }

    private void takeOver(ChildReport report, Trial trial) throws SkippedException {
        if (!demand.isMet().test(report.jvm())) {
            throw new IllegalStateException(
                    "the scenario was to run with " + demand + ", but its JVM says " + report.jvm());
        }
        trial.takeOver(report.run());
    }
}
