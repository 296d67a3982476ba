package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickFault.Reason;
import dev.escapement.physics.TickListener;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.replay.Repetition.Outcome;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs all ticks of a log without waiting for their time, and compares how that ends with what the log was put aside for. One thread. */
final class LogRepeater implements TickSource.Run {

    private final InputLog log;
    private final @Nullable FlightReport report;
    private @Nullable LogTicks ticks;

    LogRepeater(InputLog log) {
        this.log = log;
        report = log.report().orElse(null);
    }

    /** Closes the simulation. */
    Repetition run(Simulation simulation, TickListener listener) {
        ManualClock clock = new ManualClock(0);
        long tick = log.firstTick();
        try (InlineDriver driver = driver(simulation, listener, clock)) {
            try {
                for (; tick <= log.lastTick(); tick++) {
                    clock.advance(log.rate().nanosAt(tick - log.firstTick() + 1) - clock.nanoTime());
                    if (driver.runDueTicks() != 1) {
                        throw new IllegalStateException("tick " + tick + " of " + log + " did not run when it was due");
                    }
                    boolean notFinite = isReported(Reason.NOT_FINITE, tick) && driver.quarantinedPoses() > 0;
                    if (notFinite || threwAsRecorded(tick, ticks == null ? null : ticks.thrown())) {
                        return repeated(driver.divergence());
                    }
                }
            } catch (RuntimeException | Error thrown) {
                if (threwAsRecorded(tick, thrown) || threwAsRecorded(tick, thrown.getCause())) {
                    return repeated(driver.divergence());
                }
                if (report == null || ticks == null || ticks.at() < log.firstTick()) {
                    throw thrown; // nothing that was recorded
                }
                return new Repetition(
                        Outcome.DIFFERED,
                        driver.divergence(),
                        "differs at tick " + tick + ", which threw " + thrown + "; the recorded tick " + report.tick()
                                + " " + report.event());
            }
            return ended(driver.divergence());
        }
    }

    private InlineDriver driver(Simulation simulation, TickListener listener, ManualClock clock) {
        try {
            return PhysicsService.builder(simulation)
                    .replay(this)
                    .listener(listener)
                    .inline(clock);
        } catch (RuntimeException refused) {
            try (simulation) {
                throw refused;
            }
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

    @Override
    public TickRate rate() {
        return log.rate();
    }

    @Override
    public TickSource open(Simulation simulation) {
        LogTicks opened = (LogTicks) log.open(simulation);
        ticks = opened;
        return opened;
    }
}
