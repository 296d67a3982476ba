package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.PhysicsTickListener;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.util.NativeLibrary;
import com.jme3.math.Matrix3f;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around a space of Bullet that the game already has: Libbulletjme's, or that of jMonkeyEngine with Minie.
 *
 * <pre>{@code
 * BulletNatives.load();
 * PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
 * BulletWorldSimulation simulation = new BulletWorldSimulation(space);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> crate.applyCentralImpulse(new Vector3f(0, 50, 0)));
 * }</pre>
 *
 * <p><b>Threads.</b> Libbulletjme binds a space to the thread that made it. One that is made before the service is started has to be
 * an {@link UnboundPhysicsSpace}; a tick refuses another one.
 *
 * <p><b>Steps.</b> A tick is one step of the tick's length, {@code update(dt, 0)}, whatever the space's accuracy is; do not call
 * {@code update} any more. A step that is not the service's own fails the next tick, with the stack trace of the thread that made it.
 *
 * <p><b>Kinematic bodies.</b> Call {@code setPhysicsLocation} in every step of a {@code Simulation} around this one: Bullet takes the way that this call makes for the
 * velocity, and the body carries and pushes what touches it. Of two calls before a step only the last counts: after
 * {@code setPhysicsRotation}, a {@code setPhysicsLocation} carries without turning, and the other way round. A jump that is to push
 * nothing is the same {@code setPhysicsLocation} twice. Place a body before {@code setKinematic(true)}, or it comes from the origin.
 *
 * <p><b>Bodies.</b> One whose mass was 0 and becomes another is made anew by Libbulletjme, and so is one that gets another scale of its
 * shape: detach it before and attach it afterwards.
 *
 * <p><b>Contacts</b> are Bullet's manifolds with a point at least, which may begin up to 2 cm before bodies touch. Asking for them takes
 * a few native calls for each pair.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library that is not one of the
 * multi-threaded ones.
 *
 * <p>Neither a step nor a capture allocates, but for two iterators of the binding, which the JIT compiler removes; the events of a tick
 * take eight bytes for each pair of bodies that are near each other.
 */
public final class BulletWorldSimulation extends WorldSimulation<PhysicsSpace, PhysicsRigidBody> {

    /** Then Bullet makes one step, as long as it is told. */
    private static final int NO_FIXED_STEPS = 0;

    private static final List<String> COMPONENTS = List.of(
            "position x",
            "position y",
            "position z",
            "rotation xx",
            "rotation xy",
            "rotation xz",
            "rotation yx",
            "rotation yy",
            "rotation yz",
            "rotation zx",
            "rotation zy",
            "rotation zz",
            "velocity x",
            "velocity y",
            "velocity z",
            "angular velocity x",
            "angular velocity y",
            "angular velocity z");

    private final PhysicsSpace space;
    private final long spaceId;
    private final Manifolds manifolds;
    // Filled again and again, because the binding's getters allocate otherwise.
    private final Vector3f vector = new Vector3f();
    private final Quaternion rotation = new Quaternion();
    private final Matrix3f basis = new Matrix3f();

    // Volatile: written by whoever steps the space, read by the thread that ticks.
    private volatile @Nullable IllegalStateException otherStep;

    private final PhysicsTickListener ownSteps = new PhysicsTickListener() {
        @Override
        public void prePhysicsTick(PhysicsSpace stepped, float dtSeconds) {
            try {
                requireOwnStep();
            } catch (IllegalStateException e) {
                // Not thrown here: Bullet would go on with the step, and lose pairs that begin to touch in it.
                otherStep = e;
            }
        }

        @Override
        public void physicsTick(PhysicsSpace stepped, float dtSeconds) {}
    };

    /**
     * Takes a space, until {@link #close()}.
     *
     * @param space what to tick
     * @throws IllegalStateException if another simulation has it
     */
    public BulletWorldSimulation(PhysicsSpace space) {
        super(space, COMPONENTS);
        this.space = space;
        spaceId = space.nativeId();
        manifolds = new Manifolds(space, this::slotOf);
        space.addTickListener(ownSteps);
    }

    /**
     * Which native library computes the states, unless the game has loaded another: the bits of another one may be others.
     *
     * @return its coordinates, with the version
     * @throws UnsupportedPlatformException if there is none for the running platform
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return BulletNatives.library(Platform.running()).coordinates();
    }

    @Override
    protected void advance(Tick tick) {
        IllegalStateException other = otherStep;
        if (other != null) {
            throw other;
        }
        if (space.jniEnvId() != NativeLibrary.jniEnvId()) {
            throw new IllegalStateException("thread '" + Thread.currentThread().getName() + "' ticks " + space
                    + ", but Libbulletjme has bound it to another thread, which made it; make it as an"
                    + " UnboundPhysicsSpace, or override jniEnvId() as that does");
        }
        space.update((float) tick.dtSeconds(), NO_FIXED_STEPS);
    }

    @Override
    protected boolean isInWorld(PhysicsRigidBody body) {
        return body.spaceId() == spaceId; // space.contains() would allocate
    }

    @Override
    protected boolean isAsleep(PhysicsRigidBody body) {
        boolean fixed = !body.isDynamic() && !body.isKinematic(); // asks no native half, as isStatic() would
        return fixed || !body.isActive();
    }

    @Override
    protected void writePose(PhysicsRigidBody body, int slot, PoseWriter poses) {
        body.getPhysicsLocation(vector);
        body.getPhysicsRotation(rotation);
        poses.set(
                slot, vector.x, vector.y, vector.z, rotation.getX(), rotation.getY(), rotation.getZ(), rotation.getW());
    }

    /** The rotation as Bullet keeps it, a matrix: other matrices may have the same quaternion. */
    @Override
    protected int readPose(PhysicsRigidBody body, long[] bits, int at) {
        read(body.getPhysicsLocation(vector), bits, at);
        body.getPhysicsRotationMatrix(basis);
        for (int i = 0; i < 9; i++) {
            bits[at + 3 + i] = Float.floatToRawIntBits(basis.get(i / 3, i % 3));
        }
        return at + 12;
    }

    /** Zeros of a body that is not dynamic: the binding refuses to tell them. */
    @Override
    protected void readVelocities(PhysicsRigidBody body, long[] bits, int at) {
        boolean dynamic = body.isDynamic();
        read(dynamic ? body.getLinearVelocity(vector) : vector.set(0, 0, 0), bits, at);
        read(dynamic ? body.getAngularVelocity(vector) : vector.set(0, 0, 0), bits, at + 3);
    }

    @Override
    protected void tellContacts(ContactPairs touching) {
        manifolds.tell(touching);
    }

    @Override
    protected void released() {
        space.removeTickListener(ownSteps);
    }

    private static void read(Vector3f v, long[] bits, int at) {
        bits[at] = Float.floatToRawIntBits(v.x);
        bits[at + 1] = Float.floatToRawIntBits(v.y);
        bits[at + 2] = Float.floatToRawIntBits(v.z);
    }
}
