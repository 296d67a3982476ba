package dev.escapement.bench.machine;

import static dev.escapement.bench.machine.WayToTick.ESCAPEMENT;
import static dev.escapement.bench.machine.WayToTick.POLICY;
import static dev.escapement.bench.machine.WayToTick.PRIORITY;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.machine.Lateness.Load;
import dev.escapement.bench.process.BusyCores;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.Table;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;

/** Measures how late steps are in each way to tick, at each load. Main thread. */
final class Ladder {

    /** The steps that findings are about. */
    private static final int QUIET_MICROS = 200;

    private static final int BUSY_MICROS = 1500;

    private final TickRate rate;
    private final long runNanos;
    private final int runs;
    private final List<WayToTick> ways = new ArrayList<>();

    /** Who took time from Escapement's ticks at each load. */
    private final Map<Load, TakenTime> delays = new EnumMap<>(Load.class);

    /** Finds out which ways this process may use, for the findings; runs those of Escapement to let the JIT compiler work. */
    Ladder(TickRate rate, long runNanos, int runs, List<Finding> findings) {
        this.rate = rate;
        this.runNanos = runNanos;
        this.runs = runs;
        for (WayToTick way : List.of(ESCAPEMENT, POLICY, PRIORITY)) {
            ThreadGrants grants = way.warmUp(rate, runNanos);
            if (grants.allGranted()) {
                ways.add(way);
            }
            if (way != ESCAPEMENT) {
                findings.add(asked(way, grants));
            }
        }
        ways.addAll(List.of(WayToTick.SCHEDULED_EXECUTOR, WayToTick.THREAD_SLEEP));
        if (Cyclictest.find().isPresent()) {
            ways.add(WayToTick.CYCLICTEST);
            if (ways.contains(PRIORITY)) {
                ways.add(WayToTick.CYCLICTEST_PRIORITY);
            }
        } else {
            findings.add(new Finding("cyclictest", "not on the PATH", Grade.INFO, "not measured"));
        }
    }

    static Finding asked(WayToTick way, ThreadGrants grants) {
        return grants.allGranted()
                ? Finding.good(way.toString(), grants.toString(), "threadPolicy(ThreadPolicy.realTime()) asks for it")
                : new Finding(way.toString(), "not measured", Grade.FAIR, grants.toString());
    }

    /** A row for each load, way and length of step: the median over the runs. */
    List<Lateness> climb() throws InterruptedException {
        List<Lateness> rows = new ArrayList<>();
        int kinds = ways.stream().mapToInt(way -> way.stepsMicros().size()).sum();
        int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(6 * runNanos * runs * kinds) + 60;
        List<BusyCores> busy = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("machine", 3L * runs * kinds, " runs")) {
            for (Load load : Load.values()) {
                if (load != Load.QUIET) {
                    busy.add(BusyCores.start(seconds));
                }
                rows.addAll(at(load, progress));
                busy.forEach(BusyCores::requireRunning);
            }
        } finally {
            busy.forEach(BusyCores::close);
        }
        return rows;
    }

    /** Ways alternate, so that all see the same machine. */
    private List<Lateness> at(Load load, ProgressBar progress) throws InterruptedException {
        record Kind(WayToTick way, int stepMicros, List<double[]> runs) {}
        List<Kind> kinds = ways.stream()
                .flatMap(way -> way.stepsMicros().stream().map(step -> new Kind(way, step, new ArrayList<>())))
                .toList();
        for (int run = 0; run < runs; run++) {
            for (Kind kind : kinds) {
                kind.runs.add(kind.way.run(rate, runNanos, kind.stepMicros));
                progress.step();
            }
        }
        delays.put(load, ESCAPEMENT.delays(rate, runNanos, load == Load.QUIET ? QUIET_MICROS : BUSY_MICROS));
        return kinds.stream()
                .map(kind -> Lateness.median(load, kind.way, kind.stepMicros, kind.runs))
                .toList();
    }

    /** What to expect of ticks here, who delays them, and which way helps. */
    List<Finding> findings(List<Lateness> rows) {
        return findings(rows, delays);
    }

    static List<Finding> findings(List<Lateness> rows, Map<Load, TakenTime> delays) {
        Lateness quiet = row(rows, Load.QUIET, QUIET_MICROS);
        Lateness busy = row(rows, Load.BUSY, BUSY_MICROS);
        Lateness best = rows.stream()
                .filter(row -> row.load() == Load.BUSY && row.stepMicros() == BUSY_MICROS)
                .min(Comparator.comparingDouble(Lateness::endP99))
                .orElse(busy);
        return List.of(
                Finding.graded(
                        "a tick of Escapement",
                        quiet.p99(),
                        "starts late by " + Table.duration(quiet.p50()) + " p50, " + Table.duration(quiet.p99())
                                + " p99",
                        200,
                        2_000,
                        "expect ticks to start this exactly",
                        who(delays, Load.QUIET) + "; what is not known may be power saving"
                                + " (cpupower frequency-set -g performance)"),
                Finding.graded(
                        "with busy cores",
                        busy.endP99(),
                        "a step of 1.5 ms ends late by " + Table.duration(busy.endP50()) + " p50, "
                                + Table.duration(busy.endP99()) + " p99",
                        500,
                        Double.MAX_VALUE,
                        "other programs do not delay physics",
                        who(delays, Load.BUSY) + "; "
                                + (best.equals(busy)
                                        ? "no policy helps: end other programs, or leave physics a core of its own (taskset)"
                                        : best.way() + " helps: " + Table.duration(best.endP99()) + " p99")));
    }

    private static String who(Map<Load, TakenTime> delays, Load load) {
        return delays.getOrDefault(load, TakenTime.NONE).scaledTo(1_000_000_000).inPercent();
    }

    private static Lateness row(List<Lateness> rows, Load load, int stepMicros) {
        return rows.stream()
                .filter(row -> row.load() == load && row.way() == ESCAPEMENT && row.stepMicros() == stepMicros)
                .findFirst()
                .orElseThrow();
    }
}
