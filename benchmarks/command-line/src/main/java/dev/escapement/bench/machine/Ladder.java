package dev.escapement.bench.machine;

import static dev.escapement.bench.machine.WayToTick.POLICY;
import static dev.escapement.bench.machine.WayToTick.REAL_TIME;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.machine.Lateness.Load;
import dev.escapement.bench.measure.BusyCores;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.Table;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;

/** Measures how late ticks are in each way, at each load and length of step. Main thread. */
final class Ladder {

    /** High, so that within a second every method is called often enough to be compiled. */
    private static final TickRate WARM_UP_RATE = TickRate.hertz(4000);

    private final TickRate rate;
    private final long runNanos;
    private final int runs;
    private final ThreadGrants priority;
    private final List<WayToTick> ways;

    Ladder(TickRate rate, long runNanos, int runs) throws InterruptedException {
        this.rate = rate;
        this.runNanos = runNanos;
        this.runs = runs;
        priority = askFor(REAL_TIME);
        boolean hasCyclictest = Cyclictest.find().isPresent();
        ways = Arrays.stream(WayToTick.values())
                .filter(way -> hasCyclictest || !way.isOfTheSystem())
                .filter(way -> priority.allGranted() || !way.needsPriority())
                .toList();
    }

    /** What a new thread gets of the policy. */
    private static ThreadGrants askFor(WayToTick way) throws InterruptedException {
        FutureTask<ThreadGrants> asked =
                new FutureTask<>(() -> way.policy().orElseThrow().apply(0));
        new Thread(asked, "policy-probe").start();
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Whether this process may have real-time priority, and what to do if not. */
    Finding priority() {
        return priority.allGranted()
                ? Finding.good(
                        "priority",
                        "real-time priority is allowed",
                        "ask for it: threadPolicy(ThreadPolicy.realTime())")
                : new Finding("priority", "none, not measured", Grade.FAIR, priority.toString());
    }

    /** A row for each load, way and length of step: the median over the runs. Ways alternate, so that all see the same machine. */
    List<Lateness> climb() throws InterruptedException {
        double roundNanos = SteadyWork.measureRoundNanos();
        int steps = ways.stream().mapToInt(way -> way.stepsMicros().size()).sum();
        List<Lateness> rows = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("machine", (long) Load.values().length * runs * steps, " runs")) {
            for (WayToTick way : ways) {
                if (!way.isOfTheSystem()) {
                    way.run(Load.QUIET, WARM_UP_RATE, runNanos, 20, roundNanos);
                }
            }
            for (Load load : Load.values()) {
                List<BusyCores> busy = new ArrayList<>();
                try {
                    long seconds = TimeUnit.NANOSECONDS.toSeconds(2 * runNanos * runs * steps) + 60;
                    while (busy.size() < load.perCore()) {
                        busy.add(BusyCores.start((int) seconds));
                    }
                    rows.addAll(at(load, roundNanos, progress));
                    busy.forEach(BusyCores::requireRunning);
                } finally {
                    busy.forEach(BusyCores::close);
                }
            }
        }
        return rows;
    }

    private List<Lateness> at(Load load, double roundNanos, ProgressBar progress) throws InterruptedException {
        Map<String, List<Lateness>> byKind = new LinkedHashMap<>();
        for (int run = 0; run < runs; run++) {
            for (WayToTick way : ways) {
                for (int stepMicros : way.stepsMicros()) {
                    byKind.computeIfAbsent(way + " " + stepMicros, kind -> new ArrayList<>())
                            .add(way.run(load, rate, runNanos, stepMicros, roundNanos));
                    progress.step();
                }
            }
        }
        return byKind.values().stream().map(Lateness::median).toList();
    }

    /** What to expect of ticks here, and which way helps. */
    static List<Finding> findings(List<Lateness> rows) {
        Lateness idle = row(rows, Load.QUIET, WayToTick.ESCAPEMENT, 200);
        Lateness busy = row(rows, Load.BUSY, WayToTick.ESCAPEMENT, 1500);
        Lateness best = rows.stream()
                .filter(row -> row.load() == Load.BUSY && row.stepMicros() == 1500)
                .min(Comparator.comparingDouble(Lateness::endP99))
                .orElse(busy);
        String change = best.way() == POLICY || best.way() == REAL_TIME
                ? "a policy helps: threadPolicy(ThreadPolicy.realTime()), here " + best.way() + " "
                        + Table.duration(best.endP99()) + " p99"
                : "no policy helps here: end other programs, or leave physics a core of its own (taskset)";
        return List.of(
                Finding.graded(
                        "a tick of Escapement",
                        idle.p99(),
                        "starts late by " + Table.duration(idle.p50()) + " p50, " + Table.duration(idle.p99()) + " p99",
                        200,
                        2_000,
                        "expect ticks to start this exactly",
                        "something delays threads that want to run: other programs, a virtual machine's host, power saving"
                                + " (cpupower frequency-set -g performance)"),
                Finding.graded(
                        "with busy cores",
                        busy.endP99(),
                        "a step of 1.5 ms ends late by " + Table.duration(busy.endP50()) + " p50, "
                                + Table.duration(busy.endP99()) + " p99",
                        500,
                        Double.MAX_VALUE,
                        "other programs do not delay physics",
                        change));
    }

    private static Lateness row(List<Lateness> rows, Load load, WayToTick way, int stepMicros) {
        return rows.stream()
                .filter(row -> row.load() == load && row.way() == way && row.stepMicros() == stepMicros)
                .findFirst()
                .orElseThrow();
    }
}
