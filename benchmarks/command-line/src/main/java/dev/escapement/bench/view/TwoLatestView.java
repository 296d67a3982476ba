package dev.escapement.bench.view;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;

/**
 * Shows the world as a common game loop does: it blends the two latest snapshots by the time since the newest one arrived, as if all steps
 * took equally long.
 *
 * <p>Render thread only.
 */
final class TwoLatestView implements AutoCloseable {

    private final SnapshotReader reader;
    private final Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
    private long shownSimNanos;

    TwoLatestView(SnapshotReader reader) {
        this.reader = reader;
    }

    boolean advance(long nowNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        Window window = reader.window();
        TickRate rate = window.timeline().rate();
        double periodNanos = 1e9 * rate.dtSeconds();
        double alpha = Math.max(0, Math.min((nowNanos - window.newest().publishedNanos()) / periodNanos, 1));
        interpolator.show(window.snapshot(window.size() - 2), window.newest(), (float) alpha);
        shownSimNanos = rate.nanosAt(window.newestTick() - 1) + Math.round(alpha * periodNanos);
        return true;
    }

    /** The interpolated poses of the frame, valid until the next frame. */
    Interpolator moment() {
        return interpolator;
    }

    long shownSimNanos() {
        return shownSimNanos;
    }

    @Override
    public void close() {
        reader.close();
    }
}
