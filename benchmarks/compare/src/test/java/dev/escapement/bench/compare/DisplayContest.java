package dev.escapement.bench.compare;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.stream.IntStream;
import org.joml.Vector3f;

/** Shows a world to a renderer by its calls alone, on a virtual clock, and measures the displayed picture. */
final class DisplayContest {

    /** The instant of the first call; the world has been running since 0. */
    private static final long START_NANOS = 100_000_000;

    private static final TickRate RATE = TickRate.hertz(100);

    /**
     * The metrics of one series of calls, in nanoseconds.
     *
     * @param mean of the absolute animation error
     * @param p99  its 99th percentile
     * @param age  the mean age of the picture on the display
     * @param away the maximum distance between a call and the moment shown
     */
    record Metrics(double mean, double p99, double age, double away) {}

    /**
     * The metrics of all series of a case.
     *
     * @param calls   each frame shows the moment of its call
     * @param learned the view learns the rhythm
     */
    record Series(DisplayCase of, List<Metrics> calls, List<Metrics> learned) {}

    private DisplayContest() {}

    static Series measure(DisplayCase of) {
        return new Series(of, measure(of, false), measure(of, true));
    }

    private static List<Metrics> measure(DisplayCase of, boolean learns) {
        return IntStream.range(0, DisplayCase.SERIES)
                .mapToObj(series -> show(of.calls().apply(series), of.warmUpNanos(), learns))
                .toList();
    }

    private static Metrics show(DisplayCalls series, long warmUpNanos, boolean learns) {
        WorkClock clock = new WorkClock();
        Scene scene = new Scene(LoadProfile.LIGHT, clock);
        InlineDriver driver =
                PhysicsService.builder(scene).rate(RATE).maxReaders(1).inline(clock);
        VirtualPhysics physics = new VirtualPhysics(driver, clock, LoadProfile.LIGHT);
        FrameView view = FrameView.of(driver.newReader());
        AnimationError error = new AnimationError("display");
        Vector3f probe = new Vector3f();
        double away = 0;
        double age = 0;
        long frames = 0;
        long shiftNanos = START_NANOS - series.callNanos[0];
        for (int i = 0; i < series.callNanos.length; i++) {
            long callNanos = series.callNanos[i] + shiftNanos;
            long slotNanos = series.slotNanos[i] + shiftNanos;
            physics.runUntil(callNanos);
            if (learns) {
                view.advance(callNanos);
            } else {
                view.advance(callNanos, callNanos);
            }
            long shownNanos = Scene.METRONOME.simNanos(view, view.positionOfSlot(Scene.PROBE, probe).x);
            error.frame(shownNanos, view.window().timeline(), slotNanos);
            away = Math.max(away, (double) Math.abs(view.clock().displayNanos() - callNanos));
            if (callNanos - START_NANOS < warmUpNanos) {
                error.reset();
            } else {
                age += (double) (slotNanos - shownNanos);
                frames++;
            }
        }
        return new Metrics(error.meanNanos(), error.percentileNanos(99), age / frames, away);
    }
}
