package dev.escapement.bench.view;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;

/**
 * The world as a renderer shows it that blends the two latest snapshots by a rule.
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

    /**
     * Goes on to a frame that begins at an instant, by a rule that may be another one than for the frame before.
     *
     * @return false if there is nothing to show yet
     */
    boolean advance(AlphaRule rule, long nowNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        Window window = reader.window();
        TickRate rate = window.timeline().rate();
        double alpha = Math.max(0, Math.min(rule.alpha(window, nowNanos), 1));
        interpolator.show(window.snapshot(window.size() - 2), window.newest(), (float) alpha, rate.dtSeconds());
        shownSimNanos = rate.nanosAt(window.newestTick() - 1) + Math.round(alpha * 1e9 * rate.dtSeconds());
        return true;
    }

    /** Where the bodies are, valid until the next frame. */
    Interpolator moment() {
        return interpolator;
    }

    /** The simulated time that the last frame shows. */
    long shownSimNanos() {
        return shownSimNanos;
    }

    /** Gives the reader back to its service. */
    @Override
    public void close() {
        reader.close();
    }
}
