package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.util.NativeLibrary;

/**
 * A space that one thread creates and another one steps. Libbulletjme binds a space to the thread that created it: an update by another
 * thread logs a warning, and its assertions fail. This class removes that restriction, because callbacks run on the stepping thread anyway.
 * Only {@code CustomConvexShape} stays bound to its thread.
 *
 * <pre>{@code
 * PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
 * }</pre>
 *
 * <p>In jMonkeyEngine, let {@code BulletAppState.createPhysicsSpace} return one. If a space must be of another class, such as
 * {@code PhysicsSoftSpace}, override {@link #jniEnvId()} in the same way.
 *
 * @see BulletWorldSimulation
 */
public class UnboundPhysicsSpace extends PhysicsSpace {

    /**
     * Creates an empty space, which reaches 10 km to each side.
     *
     * @param broadphaseType the algorithm that finds pairs that may touch
     */
    public UnboundPhysicsSpace(BroadphaseType broadphaseType) {
        super(broadphaseType);
    }

    /** {@return the thread to which the space is bound; always the calling thread, so that all checks pass} */
    @Override
    public long jniEnvId() {
        return NativeLibrary.jniEnvId();
    }
}
