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
 * A world whose steps take a given time, and 144 frames a second beside it: physics on one virtual clock, frames on another, as two threads
 * with a core each.
 */
final class OverloadRun implements AutoCloseable {

    /** The length of a step. */
    @FunctionalInterface
    interface Load {

        long nanos(long tick, double seconds);
    }

    /** A frame: its instant, and how far a body at constant velocity moved in it, as a share of the time since the frame before. */
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

    /** Makes the frames until an instant, in seconds. */
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

    /** Runs the ticks that are published by an instant. */
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

    /** The mean way of the frames from an instant on: the speed of the world. */
    double speedFrom(double seconds) {
        return between(seconds, Double.MAX_VALUE).stream()
                .mapToDouble(Frame::way)
                .average()
                .orElse(0);
    }

    /** How much the ways of the frames from an instant on differ from their mean, as a share of it, on average. */
    double unevennessFrom(double seconds) {
        double mean = speedFrom(seconds);
        return between(seconds, Double.MAX_VALUE).stream()
                .mapToDouble(each -> Math.abs(each.way - mean) / mean)
                .average()
                .orElse(0);
    }

    /** The instants of frames whose way differs visibly, by more than 15 %, from that of the frame before. */
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
