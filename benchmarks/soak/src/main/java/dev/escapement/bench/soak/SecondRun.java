package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs a log again, and compares the states: on a thread of its own, because a world may hang there, too. */
final class SecondRun {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The world is made and begun before the first tick: that may take longer than a tick. */
    private static final long UNTIL_FIRST_TICK_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Path log;
    private final Supplier<? extends Simulation> worlds;
    private final Check check;
    private final long hangsNanos;

    // Written by the thread that runs, and read by the one that waits for it; nothing else is ordered by it.
    private final AtomicLong ticks = new AtomicLong();

    /**
     * @param check      counts whether both runs had the same states
     * @param hangsNanos how long a tick may take, after the first one
     */
    SecondRun(Path log, Supplier<? extends Simulation> worlds, Check check, long hangsNanos) {
        this.log = log;
        this.worlds = worlds;
        this.check = check;
        this.hangsNanos = hangsNanos;
    }

    /**
     * Runs, until {@code isEnded}. A world that hangs keeps its thread.
     *
     * @param isEnded asked several times a second, by the caller's thread
     * @return how it hangs; empty if it does not
     */
    String run(BooleanSupplier isEnded) {
        Worker running = Worker.start("storm-second-run", self -> repeat(self));
        Standstill still = new Standstill();
        while (!running.hasEnded() && !isEnded.getAsBoolean()) {
            long ran = ticks.get();
            long mayTakeNanos = ran == 0 ? Math.max(hangsNanos, UNTIL_FIRST_TICK_NANOS) : hangsNanos;
            if (still.look(ran, System.nanoTime()) > mayTakeNanos) {
                return "the second run of " + log + " hangs after " + ran + " ticks: " + running;
            }
            Polling.pass(LOOK_NANOS);
        }
        return running.end() ? "" : "the second run of " + log + " does not end: " + running;
    }

    private void repeat(Worker self) {
        try {
            ReplayResult result = InputLog.open(log).repeat(() -> counted(worlds.get(), self));
            check.that(result.outcome() == ReplayResult.Outcome.RAN_THROUGH, () -> result.text() + " in " + log);
        } catch (CancellationException ended) {
            // Nothing is known of the ticks that were left out.
        } catch (IOException | RuntimeException | AssertionError | LinkageError e) {
            check.broken("the log " + log + " cannot be run again: " + e);
        }
    }

    private Simulation counted(Simulation world, Worker self) {
        return new ForwardingSimulation(world) {
            @Override
            public void step(Tick tick) throws Exception {
                if (!self.isRunning()) {
                    throw new CancellationException();
                }
                super.step(tick);
                ticks.incrementAndGet();
            }
        };
    }
}
