package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.measure.Series.Point;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Line;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Vector3f;

/** A world, and what a view shows of pushes that come in a frame: {@value #LATE} ticks late, in time, or never. */
final class Correction implements AutoCloseable {

    private static final int BODIES = 100;
    private static final int LATE = 5;
    private static final int TICKS = 45;
    private static final int FRAMES = 4;
    private static final long SEED = 3;

    private final int pushFrame;
    private final SeededWorld world;
    private final FrameView view;
    private final List<Point> heights = new ArrayList<>();

    private Correction(Engine engine, int pushFrame, int warmUp, int fadeMillis) {
        this.pushFrame = pushFrame;
        StateHistory history = StateHistory.ofTicks(2 * LATE).rollBack(2 * LATE);
        world = new SeededWorld(RewindCommand.world(engine, BODIES), 4, builder -> builder.with(history));
        view = FrameView.of(world.driver.newReader(), Interpolation.DEFAULT.fadeWithin(fadeMillis));
        world.run(SEED, warmUp);
        view.advance(SeededWorld.RATE.nanosAt(warmUp));
    }

    private Vector3f at(int body) {
        return view.positionOfSlot(body, new Vector3f());
    }

    /** Shows a frame of a body that is pushed in a tick. Returns how far the body has moved, in metres. */
    private float show(int frame, long first, int body, float speed) {
        if (frame == pushFrame) {
            world.push(SeededWorld.RATE.nanosAt(first) - 1, body, speed); // before the other pushes of that tick
        }
        long tick = first + frame / FRAMES;
        world.run(SEED, tick);
        Vector3f before = at(body);
        long nanos = SeededWorld.RATE.nanosAt(tick) + frame % FRAMES * SeededWorld.RATE.nanosAt(1) / FRAMES;
        view.advance(nanos);
        if (heights.size() < FRAMES * TICKS / 2) { // of the first push
            heights.add(new Point(nanos / 1e9, at(body).y));
        }
        return at(body).distance(before);
    }

    @Override
    public void close() {
        view.close();
        world.close();
    }

    /**
     * Measures each push, under the name of the engine: the largest step of its body between two frames while the error fades, over the
     * largest without that, in time or before; and {@code metres}: how far bodies are from where they are in time, once the error is gone.
     * Returns a picture of the first push.
     */
    static Plot measure(Samples samples, Engine engine, int warmUp, int times, int fadeMillis) {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Correction late = new Correction(engine, FRAMES * LATE, warmUp, fadeMillis);
                Correction inTime = new Correction(engine, 0, warmUp, fadeMillis);
                Correction never = new Correction(engine, -1, warmUp, fadeMillis)) {
            for (long first = warmUp + 1L; first <= warmUp + (long) times * TICKS; first += TICKS) {
                int body = random.nextInt(BODIES);
                float speed = (float) random.nextDouble(0.5, 1.5);
                float undisturbed = 0;
                float fading = 0;
                int fadingFrames = 0;
                for (int frame = 0; frame < FRAMES * TICKS; frame++) {
                    float step = late.show(frame, first, body, speed);
                    undisturbed = Math.max(undisturbed, inTime.show(frame, first, body, speed));
                    never.show(frame, first, body, speed);
                    if (late.view.clock().tick() + late.view.clock().alpha() <= first + LATE - 1) {
                        undisturbed = Math.max(undisturbed, step);
                        continue;
                    }
                    fading = Math.max(fading, step);
                    boolean isGone = fadingFrames * SeededWorld.RATE.nanosAt(1) >= 1e6 * fadeMillis * FRAMES;
                    for (int other = 0; isGone && other < BODIES; other++) {
                        samples.add("metres", late.at(other).distance(inTime.at(other)));
                    }
                    fadingFrames++;
                }
                samples.add(engine.toString(), fading / undisturbed);
            }
            return new Plot(
                    "The height of a mass on a spring",
                    "Dots: frames. They leave the red line when the push comes, and are on the grey line when the error is gone.",
                    "seconds",
                    "metres",
                    false,
                    late.heights,
                    List.of(new Line("pushed in time", inTime.heights), new Line("not pushed", never.heights)));
        }
    }
}
