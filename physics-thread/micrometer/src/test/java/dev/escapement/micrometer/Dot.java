package dev.escapement.micrometer;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import org.jspecify.annotations.NullMarked;

/** A world with one body, which moves a metre along x in each tick, at 100 Hz. From a given tick on each step throws. */
@NullMarked
record Dot(long throwingTick) implements Simulation {

    static final long TICK_NANOS = 10_000_000;

    static InlineDriver driver(String name, ManualClock clock) {
        return PhysicsService.builder(new Dot(Long.MAX_VALUE)).name(name).inline(clock);
    }

    static void tick(InlineDriver driver, ManualClock clock, int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
    }

    @Override
    public void step(Tick tick) {
        if (tick.number() >= throwingTick) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) poses.tick(), 0, 0, 0, 0, 0, 1);
    }
}
