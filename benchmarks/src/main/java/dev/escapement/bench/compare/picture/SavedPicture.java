package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.SteppedScene;
import dev.escapement.bench.loop.CountedFirstLoop;
import dev.escapement.bench.loop.Extrapolation;

/**
 * Draws the scene between the last two states that a loop has saved.
 *
 * <p>Render thread only, which steps.
 */
public final class SavedPicture extends Picture {

    private final CountedFirstLoop loop;

    /** A picture of what this loop saves of a {@link SteppedScene}. */
    public SavedPicture(CountedFirstLoop loop) {
        this.loop = loop;
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        drawn(SteppedScene.simNanos(blended(0)), blended(1));
    }

    private double blended(int number) {
        return Extrapolation.interpolate(loop.previous()[number], loop.current()[number], loop.alpha());
    }
}
