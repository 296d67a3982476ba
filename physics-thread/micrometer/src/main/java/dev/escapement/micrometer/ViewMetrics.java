package dev.escapement.micrometer;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.tools.AnimationError;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the frames that show a view, tagged with the name of the {@code view}. Pass this object to the loop that draws, or call {@link
 * #drawn} after each frame.
 *
 * <pre>{@code
 * ViewMetrics metrics = new ViewMetrics("window");
 * metrics.bindTo(registry);
 * RenderLoop.start(view, backend, metrics);
 * }</pre>
 *
 * <p>A view belongs to its render thread, so that thread copies the numbers of each frame here; registries read the copies. A frame waits
 * for nobody, and allocates nothing unless it is the first of its view.
 */
public final class ViewMetrics extends SourceMetrics<ViewMetrics> implements FrameListener {

    /** The percentile of errors is computed once in so many frames, because it takes some ten microseconds. */
    private static final int PERCENTILE_FRAMES = 64;

    // Volatile: the render thread alone writes, registries read; nothing else is ordered by them.
    private volatile WeakReference<@Nullable FrameView> view = new WeakReference<>(null);
    private volatile long frames;
    private volatile long held;
    private volatile long delayNanos;
    private volatile long errorNanos;
    private volatile long p99Nanos;
    private volatile long maxNanos;

    // Render thread only.
    private final AnimationError error;
    private long heldBefore;

    /**
     * Creates the meters of a view.
     *
     * @param name tells the view apart from others of the registry
     * @param tags further tags of each meter
     */
    public ViewMetrics(String name, Tag... tags) {
        super("escapement.view.frames", tags, "view", name, null, open -> false);
        error = new AnimationError(name);
    }

    @Override
    public void drawn(FrameView shown, long displayNanos, long completedNanos) {
        if (view.get() != shown) {
            view = new WeakReference<>(shown);
            heldBefore = held; // each view counts from 0
            error.restart();
        }
        RenderClock clock = shown.clock();
        long nanos = errorNanos
                + Math.abs(error.frame(clock.shownSimNanos(), shown.window().timeline(), displayNanos));
        long drawn = frames + 1;
        frames = drawn;
        held = heldBefore + clock.holds();
        delayNanos = clock.interpolationDelayNanos();
        errorNanos = nanos;
        maxNanos = error.maxNanos();
        if (drawn % PERCENTILE_FRAMES == 0) {
            p99Nanos = error.percentileNanos(99);
        }
    }

    /** Returns this; null once the view was collected that this has measured last. */
    @Override
    @Nullable
    ViewMetrics source() {
        return frames == 0 || view.get() != null ? this : null;
    }

    @Override
    void register(MeterRegistry to) {
        String errors = "escapement.view.animation.error.percentile";
        counter(to, "escapement.view.frames", "Frames that were drawn", of -> of.frames);
        counter(to, "escapement.view.held.frames", "Frames that lacked the next snapshot", of -> of.held);
        time(to, "escapement.view.delay", "Interpolation delay of the last frame", of -> of.delayNanos);
        counter(to, "escapement.view.animation.error.seconds", "Absolute errors", of -> of.errorNanos / 1e9);
        time(to, errors, "Absolute animation error of frames", of -> of.p99Nanos, "phi", "0.99");
        time(to, errors, "Absolute animation error of frames", of -> of.maxNanos, "phi", "1");
    }
}
