package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.SteppedScene;

/**
 * Draws the scene as it stands, in the thread that steps it.
 *
 * <p>Render thread only.
 */
public final class SteppedPicture extends Picture {

    private final SteppedScene scene;

    /** A picture of this scene. */
    public SteppedPicture(SteppedScene scene) {
        this.scene = scene;
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        drawn(scene.simNanos(), scene.ballHeight());
    }
}
