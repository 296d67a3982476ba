package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.render.tools.Unevenness;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.nio.LongBuffer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the frames of a render loop. The simulated time that a frame shows is computed from the drawn position of the {@link Metronome},
 * so that an error of the render clock shows, too.
 *
 * <p>Render thread. Read the metrics after the loop was closed.
 */
public final class FrameRecorder implements FrameListener {

    /** The rounding error of the metronome's position, which is a float, as a fraction of its motion in one tick. */
    private static final double RESOLUTION = 1.0 / 2_000;

    private static final int MAX_SHOWN_TICKS = 1_000_000;

    private final AnimationError bySlot = new AnimationError("slot");
    private final AnimationError byCompletion = new AnimationError("completion");
    private final Unevenness unevenness = new Unevenness();
    private final Distribution interval = new Distribution();
    private final Distribution lookBehind = new Distribution();
    private final PictureCheck picture = new PictureCheck();
    private final ThreadMeter thread = new ThreadMeter();
    private @Nullable ThreadTimes times;
    private long waitedNanos;
    private long waitedBeforeNanos;

    // Volatile: the main thread sets it once the loop runs, and the render thread must have it when the warm-up ends.
    private volatile LongSupplier missedSlots = () -> 0;
    private long missedBefore;

    /**
     * Per tick number, when the first frame that shows motion of this tick was completely drawn. Ticks beyond the array's length are not
     * recorded.
     */
    private final long[] tickCompletedNanos;

    private int shownTicks;
    private final Series slotErrorOverTime = new Series();
    private final LongBuffer slots = LongBuffer.allocate(2 * TickTrace.MAX_KEPT);
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

    // Volatile: the main thread sets it, and the render thread must see it by its next frames. Other threads read the
    // plain fields only after the render thread has ended.
    private volatile boolean stopped;
    private boolean warm;

    /**
     * Creates a recorder.
     *
     * @param metronome     the metronome; null if there is none, then the time of the render clock is taken instead
     * @param metronomeBody the slot of the metronome
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

    /**
     * Sets the source of the number of missed display slots.
     *
     * @param missed returns the number since the loop's start; the render thread and the caller of {@link #result} call it
     */
    public void missedSlots(LongSupplier missed) {
        missedSlots = missed;
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
        // The warm-up runs the same code as the measured time, so that no code runs for its first time while it is
        // measured.
        if (!warm && slotNanos - firstSlotNanos >= warmUpNanos) {
            endWarmUp();
        }
        times = times == null ? ThreadTimes.ofCallingThread() : times;
        waitedNanos = times.waitedNanos();
        Timeline timeline = view.window().timeline();
        if (warm && slots.hasRemaining()) {
            slots.put(slotNanos).put(timeline.simNanosAt(slotNanos));
        }
        long drawnSimNanos = drawnSimNanos(view);
        long slotErrorNanos = bySlot.frame(drawnSimNanos, timeline, slotNanos);
        byCompletion.frame(drawnSimNanos, timeline, completedNanos);
        measureUnevenness(drawnSimNanos, slotNanos);
        lookBehind.record(timeline.simNanosAt(slotNanos) - drawnSimNanos);
        picture.frame(drawnSimNanos, view.clock(), timeline, slotNanos);
        slotErrorOverTime.add((slotNanos - firstSlotNanos) / 1e9, slotErrorNanos / 1e6);
        // Between two ticks, the picture shows a part of the later tick's motion, so the frame counts for the later
        // tick.
        long newestTick =
                (long) Math.ceil(drawnSimNanos / (1e9 * timeline.rate().dtSeconds()) - RESOLUTION);
        while (shownTicks <= newestTick && shownTicks < tickCompletedNanos.length) {
            tickCompletedNanos[shownTicks++] = completedNanos;
        }
        thread.roundEnded();
    }

    /**
     * Measures how unevenly the picture moved in a frame. Starts anew in a pause and after a person has changed the speed of time, because
     * the change of motion is wanted then.
     */
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
        waitedBeforeNanos = waitedNanos;
        missedBefore = missedSlots.getAsLong();
    }

    /** Leaves out all later frames. Call it before the physics thread ends. Any thread. */
    public void stop() {
        stopped = true;
    }

    public long frames() {
        return frames;
    }

    /** Of the first frames after the warm-up: the display slot of each, and the simulated time that a perfect picture would show then. */
    public LongBuffer slots() {
        return slots.duplicate().flip();
    }

    /** Returns the metrics after the loop has ended. If it ended before the warm-up was over, the distributions are empty. */
    public PictureResult result(double fps, String renderer) {
        if (times != null) {
            times.close();
        }
        if (!warm) {
            endWarmUp();
        }
        long missed = missedSlots.getAsLong();
        return new PictureResult(
                fps,
                frames,
                missed,
                missed - missedBefore,
                windows,
                tornSnapshots,
                gaps,
                picture.misplacedFrames(),
                picture.uncountedRepeats(),
                holds,
                percent(unevenness.mean()),
                percent(unevenness.percentile(99)),
                thread.allocatedBytesPerRound(),
                (waitedNanos - waitedBeforeNanos) / 1e6,
                renderer,
                interval.summary(),
                lookBehind.summary(),
                Summary.of(bySlot),
                Summary.of(byCompletion));
    }

    private static double percent(double part) {
        return Math.round(1e4 * part) / 1e2;
    }

    /** The slot error over time: seconds since the first frame, signed error in milliseconds. */
    public Series slotErrorOverTime() {
        return slotErrorOverTime;
    }

    /**
     * The time from the stamp of an input event until the first frame that shows it was completely drawn. Call it after both threads have
     * ended.
     */
    public Distribution inputToFrame(TickTrace ticks) {
        return ticks.inputToFrame(tickCompletedNanos, shownTicks);
    }

    private long drawnSimNanos(FrameView view) {
        // While the window spans a rewind, all bodies teleport, and the drawn metronome tells no time.
        if (metronome == null || wentBack(view.window())) {
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
