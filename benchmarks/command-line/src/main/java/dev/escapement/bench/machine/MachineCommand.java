package dev.escapement.bench.machine;

import dev.escapement.bench.report.ConsoleCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement machine}: checks whether a machine can tick at 100 Hz on time, what prevents it, and what to do. */
@Command(
        name = "machine",
        description = {
            "Says whether this machine can tick at 100 Hz on time, what is in the way, and what to do.",
            "Looks at cores, timers, graphics and Jolt, and ticks on quiet and on busy cores, in ten seconds. No promise can"
                    + " break, so the exit code is 0."
        })
public final class MachineCommand extends ConsoleCommand {

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1", description = "Length of each measurement.")
    private int seconds;

    /** Nanoseconds per second of {@code --seconds}; tests lower it to measure for a shorter time. */
    long secondNanos = TimeUnit.SECONDS.toNanos(1);

    @Override
    public Integer call() {
        check("--seconds", seconds, 1, 3600);
        say("Ticking for up to " + TickProbe.MAX_RUNS * seconds + " s; let nothing else run.");
        List<Finding> findings = new ArrayList<>(MachineSurvey.look());
        findings.addAll(new TickProbe(seconds * secondNanos).measure());
        say(Finding.table().text(findings));
        say("Machine: " + Finding.verdict(findings));
        return 0;
    }
}
