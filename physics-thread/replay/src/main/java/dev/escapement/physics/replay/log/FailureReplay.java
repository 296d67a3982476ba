package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Replays all ticks of a log, and compares the end with the failure for which the log was archived. One thread. */
final class FailureReplay {

    private final InputLog log;
    private final @Nullable FlightReport report;

    FailureReplay(InputLog log) {
        this.log = log;
        report = log.report().orElse(null);
    }

    /** Replays the log on a simulation, and closes the simulation. */
    ReplayResult repeat(Simulation simulation) throws Exception {
        try (LogRunner runner = new LogRunner(log, simulation)) {
            Capture capture = runner.newCapture(PoseLayout.PLAIN);
            Snapshot latest = null;
            try {
                while (runner.position() < log.lastPosition()) {
                    runner.step();
                    latest = runner.capture(capture, PoseLayout.PLAIN, latest);
                    boolean notFinite =
                            isReported(Reason.NOT_FINITE, runner.number()) && capture.quarantinedPoses() > 0;
                    if (notFinite || threwAsRecorded(runner.number(), runner.thrown())) {
                        return repeated(runner.divergence());
                    }
                }
            } catch (Throwable thrown) {
                if (threwAsRecorded(runner.number(), thrown)) {
                    return repeated(runner.divergence());
                }
                if (report == null || runner.position() < log.firstTick()) {
                    throw thrown; // no report to compare with, or the log did not start: the caller's error
                }
                return new ReplayResult(
                        Outcome.DIFFERED,
                        runner.divergence(),
                        "differs at tick " + runner.number() + ", which threw " + thrown + "; the recorded tick "
                                + report.tick() + " " + report.event());
            }
            return ended(runner.number(), runner.divergence());
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

    private ReplayResult repeated(Optional<TickSource.Divergence> divergence) {
        return new ReplayResult(
                Outcome.REPEATED,
                divergence,
                report == null ? "" : "repeated: tick " + report.tick() + " " + report.event() + " as recorded");
    }

    private ReplayResult ended(long tick, Optional<TickSource.Divergence> divergence) {
        if (divergence.isPresent()) {
            return new ReplayResult(Outcome.DIFFERED, divergence, "differs at " + divergence.get());
        }
        if (!log.isComplete()) {
            return new ReplayResult(Outcome.INCOMPLETE, divergence, "ran to tick " + tick + ", " + missing());
        }
        if (report == null) { // without the cause, because that has changed no state
            return new ReplayResult(Outcome.RAN_THROUGH, divergence, "ran through");
        }
        String without = report.reason() == Reason.ASKED
                ? "ran through: the file was asked for, and has no failure"
                : "ran through: the failure did not repeat";
        return new ReplayResult(
                Outcome.RAN_THROUGH, divergence, without + (log.cause().isEmpty() ? "" : "; " + log.cause()));
    }

    private String missing() {
        if (report == null) {
            return "where the log is cut off; the recorded run may be longer";
        }
        return "where the file is cut off; tick " + report.tick() + " " + report.event() + ". Copy the whole file";
    }
}
