package dev.escapement.physics.loop;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;

/**
 * A world whose steps take a given time, and frames at a constant rate beside it: physics on one virtual clock, frames on another, as two
 * threads with a core each.
 */
final class OverloadRun implements AutoCloseable {

    /** How long a step takes. */
    @FunctionalInterface
    interface Load {

        long nanos(long tick, double seconds);
    }

    static final long MILLI = 1_000_000;

    final InlineDriver driver;
    final RenderClock clock = new RenderClock(Interpolation.DEFAULT);

    /** Of each frame: when it was made, and how far the picture moved, as a share of the time since the one before. */
    final List<double[]> frames = new ArrayList<>();

    private final ManualClock physics = new ManualClock(0);
    final SnapshotReader reader;
    private final Load load;
    private final TickRate fps;
    private long frame;
    private long frameNanos;
    private long shownNanos;
    private boolean shown;

    OverloadRun(PhysicsServiceBuilder builder, SteppedClock steps, int fps, Load load) {
        this.load = load;
        this.fps = TickRate.hertz(fps);
        steps.clock = physics;
        steps.load = load;
        driver = builder.inline(physics);
        reader = driver.newReader();
    }

    /** 144 frames a second, and steps that take a given time. */
    static OverloadRun of(LateTicks policy, Load load) {
        return of(policy, 100, 3, 144, load);
    }

    static OverloadRun of(LateTicks policy, int hertz, int windowSize, int fps, Load load) {
        SteppedClock steps = new SteppedClock();
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(steps::spend))
                .rate(TickRate.hertz(hertz))
                .windowSize(windowSize)
                .lateTicks(policy);
        return new OverloadRun(builder, steps, fps, load);
    }

    /** Lets steps take time on the clock of the physics. */
    static final class SteppedClock {

        private ManualClock clock = new ManualClock(0);
        private Load load = (tick, seconds) -> 0;

        void spend(Tick tick) {
            clock.advance(load.nanos(tick.number(), clock.nanoTime() / 1e9));
        }
    }

    private long startNanos() {
        return Math.max(physics.nanoTime(), Internals.loop(driver).schedule.nextDueNanos());
    }

    /** Runs the ticks that are published by an instant. */
    private void runUntil(long nanos) {
        while (!Internals.loop(driver).schedule.isPaused()) {
            long start = startNanos();
            if (start + load.nanos(Internals.loop(driver).schedule.nextTick(), start / 1e9) > nanos) {
                return;
            }
            physics.advance(start - physics.nanoTime());
            driver.runDueTicks(1);
        }
        physics.advance(Math.max(0, nanos - physics.nanoTime()));
        driver.runDueTicks(0); // requests
    }

    /** Makes the frames until an instant, in seconds. */
    OverloadRun until(double seconds) {
        while (frameNanos < seconds * 1e9) {
            long before = frameNanos;
            frameNanos = fps.nanosAt(++frame);
            runUntil(frameNanos);
            if (clock.advance(frameNanos, frameNanos, reader)) {
                long way = clock.shownSimNanos() - shownNanos;
                shownNanos = clock.shownSimNanos();
                if (shown) {
                    frames.add(new double[] {frameNanos / 1e9, (double) way / (frameNanos - before)});
                }
                shown = true;
            }
        }
        return this;
    }

    /** How the picture moved from an instant on. */
    Unevenness from(double seconds) {
        return between(seconds, Double.MAX_VALUE);
    }

    Unevenness between(double seconds, double end) {
        return new Unevenness(frames.stream()
                .filter(each -> each[0] >= seconds && each[0] < end)
                .toList());
    }

    @Override
    public void close() {
        reader.close();
        driver.close();
    }
}
