package dev.escapement.physics.loop;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;

/**
 * A world with given step times, viewed at 144 frames per second. Physics and frames have a virtual clock each, as if two threads had a
 * core each.
 */
final class OverloadRun implements AutoCloseable {

    /** The duration of a step, in nanoseconds. */
    @FunctionalInterface
    interface Load {

        long nanos(long tick, double seconds);
    }

    /** A frame. {@code way} is the distance of a body at constant velocity since the frame before, divided by the distance in real time. */
    record Frame(double seconds, double way) {}

    private static final TickRate FPS = TickRate.hertz(144);

    final InlineDriver driver;
    final SnapshotReader reader;
    final RenderClock clock = new RenderClock(Interpolation.DEFAULT);
    private final List<Frame> frames = new ArrayList<>();
    private final ManualClock physics = new ManualClock(0);
    private final TickLoop loop;
    private final Load load;
    private long frame;
    private long shownNanos;
    private boolean shown;

    OverloadRun(int hertz, int windowSize, Load load) {
        this.load = load;
        driver = PhysicsService.builder(new ScriptedSimulation(
                        tick -> physics.advance(load.nanos(tick.number(), physics.nanoTime() / 1e9))))
                .rate(TickRate.hertz(hertz))
                .windowSize(windowSize)
                .lateTicks(LateTicks.dilate())
                .inline(physics);
        loop = Internals.loop(driver);
        reader = driver.newReader();
    }

    /** Makes frames up to an instant, in seconds. */
    OverloadRun until(double seconds) {
        while (FPS.nanosAt(frame) < seconds * 1e9) {
            long beforeNanos = FPS.nanosAt(frame);
            long nanos = FPS.nanosAt(++frame);
            runUntil(nanos);
            if (clock.advance(nanos, nanos, reader)) {
                double way = (double) (clock.shownSimNanos() - shownNanos) / (nanos - beforeNanos);
                shownNanos = clock.shownSimNanos();
                if (shown) {
                    frames.add(new Frame(nanos / 1e9, way));
                }
                shown = true;
            }
        }
        return this;
    }

    /** Runs the ticks that are published by {@code nanos}. */
    private void runUntil(long nanos) {
        long start = startNanos();
        while (start + load.nanos(loop.schedule.nextTick(), start / 1e9) <= nanos) {
            physics.advance(start - physics.nanoTime());
            driver.runDueTicks(1);
            start = startNanos();
        }
    }

    private long startNanos() {
        return Math.max(physics.nanoTime(), loop.schedule.nextDueNanos());
    }

    private List<Frame> between(double from, double to) {
        return frames.stream()
                .filter(each -> each.seconds >= from && each.seconds < to)
                .toList();
    }

    /** Returns the mean way of the frames after an instant, which is the speed of the world. */
    double speedFrom(double seconds) {
        return between(seconds, Double.MAX_VALUE).stream()
                .mapToDouble(Frame::way)
                .average()
                .orElse(0);
    }

    /** Returns the mean deviation of the ways from their mean, relative to it, for the frames after an instant. */
    double unevennessFrom(double seconds) {
        double mean = speedFrom(seconds);
        return between(seconds, Double.MAX_VALUE).stream()
                .mapToDouble(each -> Math.abs(each.way - mean) / mean)
                .average()
                .orElse(0);
    }

    /** Returns the instants of frames whose way differs from the frame before by more than 15 %, which is visible. */
    List<Double> jumpsBetween(double from, double to) {
        List<Frame> some = between(from, to);
        List<Double> jumps = new ArrayList<>();
        for (int i = 1; i < some.size(); i++) {
            double change = Math.abs(some.get(i).way - some.get(i - 1).way);
            if (change > 0.15 * Math.max(some.get(i).way, some.get(i - 1).way)) {
                jumps.add(some.get(i).seconds);
            }
        }
        return jumps;
    }

    @Override
    public void close() {
        reader.close();
        driver.close();
    }
}
