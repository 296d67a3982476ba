package dev.escapement.bench.stress;

import dev.escapement.bench.stress.gate.Gate;
import dev.escapement.bench.stress.report.StressFolder;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs scenarios one after the other, and keeps what came of each before the next begins. */
final class StressRounds {

    private final List<Scenario> scenarios;
    private final long lengthNanos;
    private final StressFolder folder;
    private final @Nullable Gate gate;

    /** Who is told what begins. */
    @FunctionalInterface
    interface Announcer {
        void begins(String scenario, int before);
    }

    /**
     * Prepares them.
     *
     * @param folder where results are kept
     * @param gate   what they are compared with, null for nothing
     */
    StressRounds(List<Scenario> scenarios, long lengthNanos, StressFolder folder, @Nullable Gate gate) {
        this.scenarios = scenarios;
        this.lengthNanos = lengthNanos;
        this.folder = folder;
        this.gate = gate;
    }

    /** Runs all of them so many times. */
    void run(int rounds, Announcer announcer) {
        int before = 0;
        for (int round = 0; round < rounds; round++) {
            if (gate != null) {
                gate.calibrate();
            }
            for (Scenario scenario : scenarios) {
                announcer.begins(scenario.name(), before++);
                TrialRun run = TrialRun.of(scenario, lengthNanos, null);
                folder.keep(run);
                if (gate != null) {
                    gate.add(run.outcome());
                }
            }
        }
    }
}
