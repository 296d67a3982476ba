package dev.escapement.render;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.TickRate;

/**
 * What one consumer sees: the latest window, and the world blended to the moment that a frame shows.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * if (view.advance(System.nanoTime())) {
 *     draw(view.poses());
 * }
 * }</pre>
 *
 * <p>One thread. Allocates nothing unless the number of bodies grows.
 */
public final class FrameView implements AutoCloseable {

    private final SnapshotReader reader;
    private final RenderClock clock = new RenderClock();
    private final Interpolator interpolator = new Interpolator();
    private final PoseBlocks poses = new PoseBlocks(0);
    private long shownTick;
    private float alpha;

    private FrameView(SnapshotReader reader) {
        this.reader = reader;
    }

    /**
     * A view through a reader, which it owns from now on.
     *
     * @param reader a reader that nothing else uses
     * @return a view for the first thread that advances it
     */
    public static FrameView of(SnapshotReader reader) {
        return new FrameView(reader);
    }

    /**
     * Goes on to a frame: takes the latest window, chooses the simulated time to show, and blends the poses.
     *
     * @param frameNanos when the frame will be displayed, an instant of the service's clock
     * @return false if there is nothing to show yet
     * @throws IllegalStateException if used by two threads, or closed
     */
    public boolean advance(long frameNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        Window window = reader.window();
        TickRate rate = window.timeline().rate();
        long shown = clock.show(frameNanos, window);
        // The newest snapshot has no successor to blend towards: show it as the end of the pair before it.
        shownTick = Math.min(rate.tickAt(shown), window.newestTick() - 1);
        long from = rate.nanosAt(shownTick);
        alpha = (float) (shown - from) / (rate.nanosAt(shownTick + 1) - from);
        int index = (int) (shownTick - window.oldestTick());
        interpolator.interpolate(
                window.snapshot(index).poses(), window.snapshot(index + 1).poses(), alpha, poses);
        return true;
    }

    /**
     * The blended poses.
     *
     * @return the poses of the last frame, overwritten by the next {@link #advance}
     */
    public PoseBlocks poses() {
        return poses;
    }

    /**
     * The tick before the moment shown.
     *
     * @return the frame blends this tick with the one after it
     */
    public long shownTick() {
        return shownTick;
    }

    /**
     * How far the moment shown lies between two ticks.
     *
     * @return 0 for {@link #shownTick()}, 1 for the one after it
     */
    public float alpha() {
        return alpha;
    }

    /**
     * Which simulated time is shown, and why.
     *
     * @return the clock of this view
     */
    public RenderClock clock() {
        return clock;
    }

    /**
     * Whether a window is held.
     *
     * @return whether {@link #window()} has one
     */
    public boolean hasWindow() {
        return reader.hasWindow();
    }

    /**
     * The window that the frame was taken from.
     *
     * @return the window held until the next {@link #advance}
     * @throws IllegalStateException if there is none yet
     */
    public Window window() {
        return reader.window();
    }

    /** Gives the reader back to the service. */
    @Override
    public void close() {
        reader.close();
    }
}
