package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickFault.Reason;
import dev.escapement.physics.TickListener;
import dev.escapement.physics.replay.Repetition.Outcome;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs all ticks of a log, and compares how that ends with what the log was put aside for. One thread. */
final class LogRepeater {

    private final InputLog log;
    private final @Nullable FlightReport report;

    LogRepeater(InputLog log) {
        this.log = log;
        report = log.report().orElse(null);
    }

    /** Closes the simulation. */
    Repetition run(Simulation simulation, TickListener listener) throws Exception {
        try (RepeatedRun run = new RepeatedRun(log, simulation)) {
            Capture capture = run.newCapture(PoseLayout.PLAIN);
            Snapshot latest = null;
            try {
                while (run.at() < log.lastTick()) {
                    run.step();
                    latest = run.capture(capture, PoseLayout.PLAIN, latest);
                    long dueNanos = latest.dueNanos();
                    listener.ticked(run.at(), dueNanos, dueNanos, dueNanos, dueNanos);
                    boolean notFinite = isReported(Reason.NOT_FINITE, run.number()) && capture.quarantinedPoses() > 0;
                    if (notFinite || threwAsRecorded(run.number(), run.thrown())) {
                        return repeated(run.divergence());
                    }
                }
            } catch (Throwable thrown) {
                if (threwAsRecorded(run.number(), thrown)) {
                    return repeated(run.divergence());
                }
                if (report == null || run.at() < log.firstTick()) {
                    throw thrown; // nothing that was recorded
                }
                return new Repetition(
                        Outcome.DIFFERED,
                        run.divergence(),
                        "differs at tick " + run.number() + ", which threw " + thrown + "; the recorded tick "
                                + report.tick() + " " + report.event());
            }
            return ended(run.divergence());
        }
    }

    private boolean isReported(Reason reason, long tick) {
        return report != null && report.reason() == reason && report.tick() == tick;
    }

    private boolean threwAsRecorded(long tick, @Nullable Throwable thrown) {
        return thrown != null
                && report != null
                && isReported(Reason.THREW, tick)
                && thrown.getClass().getName().equals(report.thrown());
    }

    private Repetition repeated(Optional<Divergence> divergence) {
        return new Repetition(
                Outcome.REPEATED,
                divergence,
                report == null ? "" : "repeated: tick " + report.tick() + " " + report.event() + " as recorded");
    }

    private Repetition ended(Optional<Divergence> divergence) {
        String local = log.localCommand().isEmpty() ? "" : "; " + log.localCommand() + ", which no log can repeat";
        return divergence
                .map(first -> new Repetition(Outcome.DIFFERED, divergence, "differs at " + first + local))
                .orElseGet(() -> new Repetition(
                        Outcome.RAN_THROUGH,
                        divergence,
                        "ran through" + (report == null ? "" : ": the failure did not repeat" + local)));
    }
}
