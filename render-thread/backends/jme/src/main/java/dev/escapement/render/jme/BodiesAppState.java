package dev.escapement.render.jme;

import com.jme3.app.state.AbstractAppState;
import dev.escapement.state.time.NanoClock;

/**
 * Advances a view once per frame and moves its spatials. The engine updates app states before {@code simpleUpdate}, so that both see the
 * same moment. If another app state moves a camera with a body, attach it after this one.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * BodySpatials crates = new BodySpatials(view, rootNode, (bodyId, userData) -> crate.clone());
 * stateManager.attach(new BodiesAppState(crates, NanoClock.system()));
 * }</pre>
 *
 * <p>While this state is disabled, the picture stands still. The code that created the spatials closes them on the render thread, for
 * example in {@code destroy()}; this also closes their view.
 */
public final class BodiesAppState extends AbstractAppState {

    private final BodySpatials spatials;
    private final NanoClock clock;

    /**
     * Creates the state.
     *
     * @param spatials the spatials to move
     * @param clock    the clock of the physics service, or of the loop that runs the ticks
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
