package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.render.tools.Unevenness;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the frames of a render loop. The time that a frame shows is read from the drawn {@link Metronome}, not from the clock.
 *
 * <p>Render thread. Read it when the loop is closed.
 */
public final class FrameRecorder implements FrameListener {

    /** The rounding error of the metronome's place in a float, as a part of a tick's motion. */
    private static final double RESOLUTION = 1.0 / 2_000;

    private static final int MAX_SHOWN_TICKS = 1_000_000;

    private final AnimationError bySlot = new AnimationError("slot");
    private final AnimationError byCompletion = new AnimationError("completion");
    private final Unevenness unevenness = new Unevenness();
    private final Distribution interval = new Distribution();
    private final Distribution lookBehind = new Distribution();
    private final PictureCheck picture = new PictureCheck();
    private final ThreadMeter thread = new ThreadMeter();

    /**
     * The instant at which the first frame with part of a tick's step was complete, per tick. Ticks beyond the array's length are not
     * recorded.
     */
    private final long[] tickCompletedNanos;

    private int shownTicks;
    private final Series slotErrorOverTime = new Series();
    private final @Nullable Metronome metronome;
    private final int metronomeBody;
    private final long warmUpNanos;
    private long firstSlotNanos;
    private long previousCompletedNanos;
    private long frames;
    private long holds;
    private long windows;
    private long tornSnapshots;
    private long gaps;
    private Supplier<TimeScale> askedScale = () -> TimeScale.ONE;
    private TimeScale expectedScale = TimeScale.ONE;

    // Volatile: written by the main thread, read by the render thread. Other threads read the recorded metrics after
    // that thread's end.
    private volatile boolean stopped;
    private boolean warm;

    /**
     * Creates a recorder of frames that show a metronome.
     *
     * @param metronome     the metronome; null if there is none: then the clock's time is used
     * @param metronomeBody the body that is the metronome
     * @param warmUpNanos   the time at the start that distributions leave out
     * @param expectedTicks roughly the number of ticks that the run will have
     */
    public FrameRecorder(@Nullable Metronome metronome, int metronomeBody, long warmUpNanos, double expectedTicks) {
        this.metronome = metronome;
        this.metronomeBody = metronomeBody;
        this.warmUpNanos = warmUpNanos;
        tickCompletedNanos = new long[(int) Math.min(MAX_SHOWN_TICKS, expectedTicks * 1.1 + 100)];
    }

    /**
     * Sets the source of the speed of time that a person has chosen, so that motion at this speed does not count as uneven. Call it before
     * the render loop starts.
     *
     * @param scale returns the speed; the render thread calls it in each frame
     */
    public void askedScale(Supplier<TimeScale> scale) {
        askedScale = scale;
        expectedScale = scale.get();
    }

    @Override
    public void beforeAcquire(FrameView view) {
        if (view.hasWindow()) {
            verify(view.window());
        }
    }

    private void verify(Window window) {
        windows++;
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            tornSnapshots += snapshot.computeChecksum() == snapshot.checksum() ? 0 : 1;
            gaps += i == 0 || snapshot.tick() == window.snapshot(i - 1).tick() + 1 ? 0 : 1;
        }
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        if (stopped) {
            return;
        }
        if (frames == 0) {
            firstSlotNanos = slotNanos;
        } else {
            interval.record(completedNanos - previousCompletedNanos);
        }
        frames++;
        previousCompletedNanos = completedNanos;
        holds = view.clock().holds();
        // The warm-up does the same work as the time after it, so that nothing runs for the first time while it counts.
        if (!warm && slotNanos - firstSlotNanos >= warmUpNanos) {
            endWarmUp();
        }
        Timeline timeline = view.window().timeline();
        long drawnSimNanos = drawnSimNanos(view);
        long slotErrorNanos = bySlot.frame(drawnSimNanos, timeline, slotNanos);
        byCompletion.frame(drawnSimNanos, timeline, completedNanos);
        measureUnevenness(drawnSimNanos, slotNanos);
        lookBehind.record(timeline.simNanosAt(slotNanos) - drawnSimNanos);
        picture.frame(drawnSimNanos, view.clock(), timeline, slotNanos);
        slotErrorOverTime.add((slotNanos - firstSlotNanos) / 1e9, slotErrorNanos / 1e6);
        // Between two ticks the picture shows a part of the current one's step.
        long newestTick =
                (long) Math.ceil(drawnSimNanos / (1e9 * timeline.rate().dtSeconds()) - RESOLUTION);
        while (shownTicks <= newestTick && shownTicks < tickCompletedNanos.length) {
            tickCompletedNanos[shownTicks++] = completedNanos;
        }
        thread.roundEnded();
    }

    /** Measures the unevenness of a frame. A viewer expects no motion in a pause, and another speed where a person asked for one. */
    private void measureUnevenness(long drawnSimNanos, long slotNanos) {
        TimeScale scale = askedScale.get();
        if (bySlot.isPaused() || !scale.equals(expectedScale)) {
            unevenness.restart();
        }
        unevenness.frame(drawnSimNanos, slotNanos);
        expectedScale = scale;
    }

    private void endWarmUp() {
        warm = true;
        unevenness.reset();
        bySlot.reset();
        byCompletion.reset();
        interval.reset();
        lookBehind.reset();
        thread.reset();
    }

    /** Leaves out further frames, because the physics thread is about to end. Any thread. */
    public void stop() {
        stopped = true;
    }

    /** The number of shown frames. */
    public long frames() {
        return frames;
    }

    /** Returns the metrics of a loop that has ended. A loop that ended in the warm-up has empty distributions. */
    public PictureResult result(double fps, long missedFrameSlots) {
        if (!warm) {
            endWarmUp();
        }
        return new PictureResult(
                fps,
                frames,
                missedFrameSlots,
                windows,
                tornSnapshots,
                gaps,
                picture.misplacedFrames(),
                picture.uncountedRepeats(),
                holds,
                percent(unevenness.mean()),
                percent(unevenness.percentile(99)),
                thread.allocatedBytesPerRound(),
                interval.summary(),
                lookBehind.summary(),
                Summary.of(bySlot),
                Summary.of(byCompletion));
    }

    /** Converts a part to percent, rounded to a hundredth. */
    private static double percent(double part) {
        return Math.round(1e4 * part) / 1e2;
    }

    /** The slot error over time: seconds since the first frame, signed error in milliseconds. */
    public Series slotErrorOverTime() {
        return slotErrorOverTime;
    }

    /** The time from the stamp of an event to the end of drawing the first frame that shows it. Call it when both threads have ended. */
    public Distribution inputToFrame(TickTrace ticks) {
        return ticks.inputToFrame(tickCompletedNanos, shownTicks);
    }

    private long drawnSimNanos(FrameView view) {
        if (metronome == null || wentBack(view.window())) { // a rewind teleports all bodies, the metronome included
            return view.clock().shownSimNanos();
        }
        return metronome.simNanos(view, drawnX(view));
    }

    private static boolean wentBack(Window window) {
        Snapshot oldest = window.snapshot(0);
        Snapshot newest = window.newest();
        return oldest.tick() - oldest.simulationTick() != newest.tick() - newest.simulationTick();
    }

    private float drawnX(FrameView view) {
        PoseBlock drawn = view.interpolator().block(metronomeBody >>> PoseBlock.SHIFT);
        return drawn.px[metronomeBody & PoseBlock.MASK];
    }
}
