package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.measure.Series.Point;
import dev.escapement.bench.run.Plot;
import dev.escapement.bench.run.Plot.Line;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.StateHistory;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.HdrHistogram.DoubleHistogram;
import org.joml.Vector3f;

/**
 * What a view shows of pushes that come {@value #LATE} ticks late, beside those of the same pushes in time, and of none.
 *
 * @param jumps   of each push, the largest step of its body between two frames while the error fades, over the largest without that: in
 *                time, or before
 * @param metres  how far any body is from where it is in time, once the error is to be gone
 * @param picture the first push
 */
record Correction(DoubleHistogram jumps, double metres, Plot picture) {

    static final int BODIES = 100;

    private static final int LATE = 5;
    private static final int TICKS = 45;
    private static final int SHOWN = 25;
    private static final int FRAMES = 4;
    private static final int PUSHES = 4;
    private static final long SEED = 3;
    private static final long TICK_NANOS = SeededWorld.RATE.nanosAt(1);

    /** A world, and what a view shows of it. */
    private static final class Picture implements AutoCloseable {

        final SeededWorld world;
        final FrameView view;
        final List<Point> heights = new ArrayList<>();

        Picture(Simulation simulation, int warmUp, int fadeMillis) {
            StateHistory history = StateHistory.ofTicks(2 * LATE);
            world = new SeededWorld(
                    simulation, PUSHES, SeededWorld.builder(simulation, history).rollBack(2 * LATE), 0);
            view = FrameView.of(world.driver.newReader(), Interpolation.DEFAULT.fadeWithin(fadeMillis));
            world.run(SEED, warmUp);
            view.advance(SeededWorld.RATE.nanosAt(warmUp));
        }

        Vector3f at(int body) {
            return view.positionOfSlot(body, new Vector3f());
        }

        /** Shows the next frame. Returns how far a body has moved. */
        float step(long nanos, int body) {
            Vector3f before = at(body);
            view.advance(nanos);
            heights.add(new Point(nanos / 1e9, at(body).y));
            return at(body).distance(before);
        }

        List<Point> begin() {
            return heights.subList(0, FRAMES * SHOWN);
        }

        @Override
        public void close() {
            view.close();
            world.close();
        }
    }

    /** Of worlds of {@value #BODIES} bodies, in views whose errors fade within a time. */
    static Correction of(Supplier<Simulation> worlds, int warmUp, int times, int fadeMillis) {
        DoubleHistogram jumps = new DoubleHistogram(3);
        double metres = 0;
        SplittableRandom random = new SplittableRandom(SEED);
        try (Picture late = new Picture(worlds.get(), warmUp, fadeMillis);
                Picture inTime = new Picture(worlds.get(), warmUp, fadeMillis);
                Picture never = new Picture(worlds.get(), warmUp, fadeMillis)) {
            for (long first = warmUp + 1L; first <= warmUp + (long) times * TICKS; first += TICKS) {
                int body = random.nextInt(BODIES);
                float speed = (float) random.nextDouble(0.5, 1.5);
                float undisturbed = 0;
                float fading = 0;
                long sinceNanos = Long.MAX_VALUE;
                for (int frame = 0; frame < FRAMES * TICKS; frame++) {
                    long tick = first + frame / FRAMES;
                    for (Picture picture : List.of(late, inTime, never)) {
                        if (picture != never && frame == (picture == late ? FRAMES * LATE : 0)) {
                            long dueNanos = SeededWorld.RATE.nanosAt(first) - 1; // before the other pushes of that tick
                            picture.world
                                    .driver
                                    .input()
                                    .offer(dueNanos, InputKind.APPLICATION, PushControls.PUSH_ONE, body, speed);
                        }
                        picture.world.run(SEED, tick);
                    }
                    long nanos = SeededWorld.RATE.nanosAt(tick) + frame % FRAMES * TICK_NANOS / FRAMES;
                    undisturbed = Math.max(undisturbed, inTime.step(nanos, body));
                    never.step(nanos, body);
                    float step = late.step(nanos, body);
                    if (late.view.clock().tick() + late.view.clock().alpha() <= first + LATE - 1) {
                        undisturbed = Math.max(undisturbed, step);
                        continue;
                    }
                    fading = Math.max(fading, step);
                    sinceNanos = Math.min(sinceNanos, nanos);
                    for (int other = 0; nanos - sinceNanos >= 1e6 * fadeMillis && other < BODIES; other++) {
                        metres = Math.max(metres, late.at(other).distance(inTime.at(other)));
                    }
                }
                jumps.recordValue(fading / undisturbed);
            }
            Plot picture = new Plot(
                    "The height of a mass on a spring",
                    "Dots: frames. They leave the red line when the push has come, and reach the grey line in time.",
                    "seconds",
                    "metres",
                    false,
                    late.begin(),
                    List.of(new Line("pushed in time", inTime.begin()), new Line("not pushed", never.begin())));
            return new Correction(jumps, metres, picture);
        }
    }

    /** A percentile of the pushes. */
    double jump(int percent) {
        return jumps.getValueAtPercentile(percent);
    }
}
