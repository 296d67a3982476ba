package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.util.NativeLibrary;
import com.jme3.math.Vector3f;

/**
 * A space that one thread makes and another steps. Libbulletjme binds a space to the thread that made it: it logs a warning in each
 * update by another one, and fails its own assertions. Its callbacks would go to whichever thread steps, though. What stays
 * bound is {@code CustomConvexShape}.
 *
 * <pre>{@code
 * PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
 * }</pre>
 *
 * <p>In jMonkeyEngine, let {@code BulletAppState.createPhysicsSpace} return one. Where a space has to be of another class, a
 * {@code PhysicsSoftSpace} say, override {@link #jniEnvId()} as here.
 *
 * @see BulletWorldSimulation
 */
public class UnboundPhysicsSpace extends PhysicsSpace {

    /**
     * Creates an empty space, which reaches 10 km to each side.
     *
     * @param broadphaseType how it finds pairs that may touch
     */
    public UnboundPhysicsSpace(BroadphaseType broadphaseType) {
        super(broadphaseType);
    }

    /**
     * Creates an empty space.
     *
     * @param worldMin       the corner with the lowest coordinates
     * @param worldMax       the corner with the highest coordinates
     * @param broadphaseType how it finds pairs that may touch
     */
    public UnboundPhysicsSpace(Vector3f worldMin, Vector3f worldMax, BroadphaseType broadphaseType) {
        super(worldMin, worldMax, broadphaseType);
    }

    /**
     * The thread that the space is bound to.
     *
     * @return always the calling one
     */
    @Override
    public long jniEnvId() {
        return NativeLibrary.jniEnvId();
    }
}
