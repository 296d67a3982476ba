package dev.escapement.render.jme;

import com.jme3.app.state.AbstractAppState;
import dev.escapement.state.time.NanoClock;

/**
 * Advances the view once a frame and moves the spatials along. The engine updates app states first, so that what runs later in
 * the frame, {@code simpleUpdate} and every {@link BodyControl} of the same view, sees the same moment; a camera that follows a
 * body in an app state of its own is attached after this one.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * BodySpatials crates = new BodySpatials(view, rootNode, (bodyId, userData) -> crate.clone());
 * stateManager.attach(new BodiesAppState(crates, NanoClock.system()));
 * }</pre>
 *
 * <p>While it is disabled, the picture stands still. The view remains its maker's, who closes it on the render thread, in
 * {@code destroy()} say.
 */
public final class BodiesAppState extends AbstractAppState {

    private final BodySpatials spatials;
    private final NanoClock clock;

    /**
     * Creates the state.
     *
     * @param spatials what to move
     * @param clock    the clock of the physics service, or that of the loop that runs the ticks
     */
    public BodiesAppState(BodySpatials spatials, NanoClock clock) {
        this.spatials = spatials;
        this.clock = clock;
    }

    @Override
    public void update(float secondsPerFrame) {
        spatials.advance(clock.nanoTime());
    }
}
