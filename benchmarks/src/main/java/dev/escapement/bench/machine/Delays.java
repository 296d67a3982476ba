package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.TrialRun;
import dev.escapement.state.machine.JvmPauses;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** How late threads wake up, one that only parks and the physics thread of a service, and how long they are stopped. */
final class Delays {

    private static final long TICKING_NANOS = 1_500_000_000;
    private static final long STANDING_NANOS = 1_000_000_000;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final String SCENARIO = "idle";
    private static final long REST_NANOS = 1_000_000;
    private static final int CHUNK_BYTES = 1 << 10;
    private static final int CHUNKS_PER_REST = 256;
    private static final int CHUNKS_KEPT = 16_384;

    private Delays() {}

    /** What a service without a world came to in the stress harness. */
    static Outcome tick() {
        return TrialRun.of(Scenarios.named(List.of(SCENARIO)).get(0), TICKING_NANOS, null)
                .outcome();
    }

    /** The findings from what a service without a world came to; looks on for some seconds more. */
    static List<Finding> look(Outcome outcome, MachineWitness witness) {
        Distribution.Summary parking = parking();
        Distribution.Summary peace = whileResting();
        Distribution.Summary garbage;
        JvmPauses.Totals collector;
        try (JvmPauses pauses = JvmPauses.start()) {
            garbage = whileMakingGarbage();
            collector = pauses.soFar();
        }
        return List.of(
                away(witness.awayMillis(), outcome.seconds()),
                lateness(
                        "parkNanos",
                        parking,
                        "what a plain timer reaches here at 100 Hz; Escapement spins the rest of the way"),
                lateness("a tick of Escapement", ticking(outcome), "expect ticks to start this exactly"),
                promises(outcome),
                collector(collector),
                gap(
                        "gaps in peace",
                        peace,
                        "nothing stops the JVM's threads when nothing happens",
                        "a host, power saving or another program stops threads; 'load' above may say which"),
                gap(
                        "gaps under garbage",
                        garbage,
                        "collections and safepoints cost less than a tenth of a tick",
                        "a collection stops all threads this long: make less garbage, or use -XX:+UseZGC"));
    }

    private static Finding collector(JvmPauses.Totals collector) {
        String names = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        String seen = String.format(
                Locale.ROOT,
                "%s: %,d collections, %,d ms in all, in a second of garbage",
                names,
                collector.collections(),
                collector.collectionNanos() / 1_000_000);
        return Finding.info(
                "collector", seen, "concurrent work counts too; Escapement makes no garbage, but your simulation may");
    }

    private static Finding lateness(String what, Distribution.Summary micros, String ifGood) {
        return Finding.graded(
                what,
                micros.p99(),
                "late by " + Table.duration(micros.p50()) + " p50, " + Table.duration(micros.p99()) + " p99",
                200,
                2_000,
                ifGood,
                "something delays threads that want to run: other programs, a virtual machine's host, power saving"
                        + " (cpupower frequency-set -g performance)");
    }

    private static Finding away(double millis, double seconds) {
        return Finding.graded(
                "time away",
                millis / (1e3 * seconds),
                String.format(Locale.ROOT, "a core was taken for %,.0f ms of %,.1f s", millis, seconds),
                0.01,
                0.1,
                "other programs and the host leave the cores to physics",
                "other programs or a virtual machine's host take cores away: ticks come late, or are given up");
    }

    private static Distribution.Summary parking() {
        Distribution lateness = new Distribution();
        long originNanos = System.nanoTime();
        for (long tick = 1; RATE.nanosAt(tick) <= TICKING_NANOS; tick++) {
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

    private static Finding gap(String what, Distribution.Summary micros, String ifGood, String otherwise) {
        return Finding.graded(
                what,
                micros.max(),
                "threads stood still for " + Table.duration(micros.p99()) + " p99, " + Table.duration(micros.max())
                        + " at most",
                1_000,
                10_000,
                ifGood,
                otherwise);
    }

    private static Distribution.Summary whileResting() {
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            Pacer.system().awaitUntil(System.nanoTime() + STANDING_NANOS);
        }
        return witness.lateness();
    }

    /** Some hundred megabytes, of which the last few survive for a while, as in programs. */
    private static Distribution.Summary whileMakingGarbage() {
        Deque<byte[]> kept = new ArrayDeque<>();
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            for (long endNanos = System.nanoTime() + STANDING_NANOS; System.nanoTime() - endNanos < 0; ) {
                for (int i = 0; i < CHUNKS_PER_REST; i++) {
                    kept.addLast(new byte[CHUNK_BYTES]);
                    if (kept.size() > CHUNKS_KEPT) {
                        kept.removeFirst();
                    }
                }
                LockSupport.parkNanos(REST_NANOS);
            }
        }
        return witness.lateness();
    }
}
