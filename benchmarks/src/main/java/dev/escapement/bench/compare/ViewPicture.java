package dev.escapement.bench.compare;

import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;

/**
 * Draws what a {@link FrameView} shows.
 *
 * <p>Render thread only.
 */
final class ViewPicture extends Picture {

    private final FrameView view;
    private final TickedScene scene;

    /** A picture of a scene; nothing else may advance the view. */
    ViewPicture(FrameView view, TickedScene scene) {
        this.view = view;
        this.scene = scene;
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        if (view.advance(nowNanos, displayNanos)) {
            drawn(
                    drawnBlock(scene.probeSlot()).px[scene.probeSlot() & PoseBlock.MASK],
                    view.shownTick(),
                    view.window().timeline().rate(),
                    drawnBlock(scene.ballSlot()).py[scene.ballSlot() & PoseBlock.MASK]);
        }
    }

    private PoseBlock drawnBlock(int slot) {
        return view.interpolator().block(slot >>> PoseBlock.SHIFT);
    }

    @Override
    public long holds() {
        return view.clock().holds();
    }
}
