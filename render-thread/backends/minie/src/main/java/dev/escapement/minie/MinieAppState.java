package dev.escapement.minie;

import com.jme3.app.Application;
import com.jme3.app.state.AbstractAppState;
import com.jme3.app.state.AppStateManager;
import com.jme3.bullet.BulletAppState;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBodies;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.function.UnaryOperator;

/**
 * Ticks an existing scene's {@link MinieSpace} on a physics thread and places its spatials in each frame, in place of a
 * {@code BulletAppState}.
 *
 * <pre>{@code
 * MinieSpace space = new MinieSpace(PhysicsSpace.BroadphaseType.DBVT);
 * MinieAppState bullet = new MinieAppState(space);
 * stateManager.attach(bullet);
 * space.add(crate);                                                  // in simpleInitApp, as before
 * bullet.physics().execute(tick -> control.applyCentralImpulse(up)); // later
 * }</pre>
 *
 * <p>The physics thread starts when jMonkeyEngine initializes this state, that is, before the first frame after {@code simpleInitApp}. It
 * ticks at the rate of the space's accuracy, 60 Hz unless set, and calls all listeners of the space. While this state is disabled, time
 * stands still. When it is detached, physics ends; another one needs another space.
 *
 * <p>Attach app states that follow a spatial, such as a camera's, after this one. Only the render thread may call this class, except for
 * {@link #physics()}.
 */
public final class MinieAppState extends AbstractAppState {

    private final MinieSpace space;
    private final PhysicsService physics;
    private final Spatials spatials;

    /**
     * Creates the state of a space.
     *
     * @param space the space to tick
     */
    public MinieAppState(MinieSpace space) {
        this(space, builder -> builder);
    }

    /**
     * Creates the state of a space, with settings of its physics thread.
     *
     * @param space    the space to tick
     * @param settings for example {@code builder -> builder.rate(TickRate.hertz(120))}
     */
    public MinieAppState(MinieSpace space, UnaryOperator<PhysicsServiceBuilder> settings) {
        this.space = space;
        PhysicsServiceBuilder builder =
                PhysicsService.builder(space.ticks()).rate(TickRate.hertz(Math.round(1 / space.getAccuracy())));
        physics = settings.apply(builder).build();
        spatials = new Spatials(space, FrameView.of(physics.newReader()));
    }

    /** {@return the service, whose commands touch the space on the physics thread, and which pauses and slows time} Any thread. */
    public PhysicsService physics() {
        return physics;
    }

    /**
     * Starts the physics thread.
     *
     * @throws IllegalStateException if a {@code BulletAppState} that is attached updates the space, too
     */
    @Override
    public void initialize(AppStateManager stateManager, Application application) {
        BulletAppState other = stateManager.getState(BulletAppState.class);
        if (other != null && space.equals(other.getPhysicsSpace())) {
            throw new IllegalStateException("an attached BulletAppState updates " + space
                    + ", too, on jMonkeyEngine's thread: do not attach it, or detach it before the MinieAppState");
        }
        super.initialize(stateManager, application);
        physics.start();
    }

    /**
     * Places the spatials.
     *
     * @throws IllegalStateException if the physics thread has failed
     */
    @Override
    public void update(float secondsPerFrame) {
        if (physics.state() == ServiceState.FAILED) {
            throw new IllegalStateException(
                    "the physics thread ended", physics.failure().orElse(null));
        }
        spatials.advance(NanoClock.system().nanoTime());
    }

    /** Enables or disables this state: resumes or pauses time. */
    @Override
    public void setEnabled(boolean enabled) {
        super.setEnabled(enabled);
        if (enabled) {
            physics.resume();
        } else {
            physics.pause();
        }
    }

    /** Ends the physics thread. Then the game's thread may touch the space again. */
    @Override
    public void cleanup() {
        spatials.close();
        physics.close();
        super.cleanup();
    }

    /** The spatials of a space; no node is added to the scene or removed from it, because the game does that. */
    static final class Spatials extends SceneBodies<ShownSpatial> {

        private final MinieSpace space;

        Spatials(MinieSpace space, FrameView view) {
            super(view, new SceneOrigin());
            this.space = space;
        }

        @Override
        protected ShownSpatial add(long bodyId, long userData) {
            return space.spatial(userData);
        }

        @Override
        protected void remove(ShownSpatial node) {}

        @Override
        protected void place(ShownSpatial node, float x, float y, float z, float qx, float qy, float qz, float qw) {
            node.place(x, y, z, qx, qy, qz, qw);
        }
    }
}
