package dev.escapement.bench.run;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.function.LongConsumer;

/** Runs a log again on the calling thread, as fast as it goes. */
final class HeadlessReplay {

    private HeadlessReplay() {}

    /**
     * Runs all ticks, whether or not they lead where they did.
     *
     * @param simulation built as it was when the run began; closed here
     * @param progress   told of every tick
     */
    static ReplayResult run(InputLog log, Simulation simulation, LongConsumer progress) {
        ManualClock clock = new ManualClock(0);
        TickRate rate = log.run().rate();
        long startedNanos = System.nanoTime();
        try (InlineDriver driver =
                PhysicsService.builder(simulation).replay(log).inline(clock)) {
            for (long tick = 1; tick <= log.ticks(); tick++) {
                clock.advance(rate.nanosAt(tick) - clock.nanoTime());
                if (driver.runDueTicks() != 1) {
                    throw new IllegalStateException("tick " + tick + " of " + log + " did not run when it was due");
                }
                progress.accept(tick);
            }
            return new ReplayResult(
                    log.ticks(), rate, System.nanoTime() - startedNanos, simulation.hash(), driver.divergence());
        }
    }
}
