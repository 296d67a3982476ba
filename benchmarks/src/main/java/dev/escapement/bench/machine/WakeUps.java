package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.TrialRun;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** How late threads wake up: one that only parks, and the physics thread of a service. */
final class WakeUps {

    private static final long LENGTH_NANOS = 1_500_000_000;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final double GOOD_MICROS = 200;
    private static final double FAIR_MICROS = 2_000;
    private static final double GOOD_SHARE = 0.01;
    private static final double FAIR_SHARE = 0.1;
    private static final String SCENARIO = "idle";

    private WakeUps() {}

    /** What a service without a world came to in the stress harness. */
    static Outcome tick() {
        return TrialRun.of(Scenarios.named(List.of(SCENARIO)).get(0), LENGTH_NANOS, null)
                .outcome();
    }

    static List<Finding> look(Outcome outcome, MachineWitness witness) {
        return List.of(
                away(witness.awayMillis(), outcome.seconds()),
                lateness(
                        "parkNanos",
                        parking(),
                        "what a plain timer reaches here at 100 Hz; Escapement spins the rest of the way"),
                lateness("a tick of Escapement", ticking(outcome), "expect ticks to start this exactly"),
                promises(outcome));
    }

    private static Finding lateness(String what, Distribution.Summary micros, String ifGood) {
        return Finding.graded(
                what,
                micros.p99(),
                "late by " + Table.duration(micros.p50()) + " p50, " + Table.duration(micros.p99()) + " p99",
                GOOD_MICROS,
                FAIR_MICROS,
                ifGood,
                "something delays threads that want to run: other programs, a virtual machine's host, power saving"
                        + " (cpupower frequency-set -g performance)");
    }

    private static Finding away(double millis, double seconds) {
        return Finding.graded(
                "time away",
                millis / (1e3 * seconds),
                String.format(Locale.ROOT, "a core was taken for %,.0f ms of %,.1f s", millis, seconds),
                GOOD_SHARE,
                FAIR_SHARE,
                "other programs and the host leave the cores to physics",
                "other programs or a virtual machine's host take cores away: ticks come late, or are given up");
    }

    private static Distribution.Summary parking() {
        Distribution lateness = new Distribution();
        long originNanos = System.nanoTime();
        for (long tick = 1; RATE.nanosAt(tick) <= LENGTH_NANOS; tick++) {
            long dueNanos = originNanos + RATE.nanosAt(tick);
            long restNanos;
            while ((restNanos = dueNanos - System.nanoTime()) > 0
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(restNanos);
            }
            lateness.record(System.nanoTime() - dueNanos);
        }
        return lateness.summary();
    }

    private static Distribution.Summary ticking(Outcome outcome) {
        return outcome.distributions().stream()
                .filter(measured -> measured.name().equals("tick lateness"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("'" + SCENARIO + "' measured no ticks: " + outcome))
                .micros();
    }

    private static Finding promises(Outcome outcome) {
        boolean held = outcome.verdict() == Verdict.HELD;
        return new Finding(
                "promises",
                outcome.verdict() + " in " + String.format(Locale.ROOT, "%,d checks", outcome.checkedInAll()),
                held ? Grade.GOOD : Grade.POOR,
                held
                        ? "what the library promises does not depend on this machine; 'stress' tries harder"
                        : "a fault of the library: run 'stress', and report what it says");
    }
}
