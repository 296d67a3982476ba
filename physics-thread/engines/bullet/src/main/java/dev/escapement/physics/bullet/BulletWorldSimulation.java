package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.PhysicsTickListener;
import com.jme3.bullet.collision.ManifoldPoints;
import com.jme3.bullet.collision.PersistentManifolds;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CapsuleCollisionShape;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.SphereCollisionShape;
import com.jme3.bullet.joints.Constraint;
import com.jme3.bullet.joints.JointEnd;
import com.jme3.bullet.objects.PhysicsCharacter;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.objects.PhysicsVehicle;
import com.jme3.bullet.objects.VehicleWheel;
import com.jme3.bullet.util.DebugShapeFactory;
import com.jme3.bullet.util.NativeLibrary;
import com.jme3.math.Matrix3f;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.Part;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.nio.FloatBuffer;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around an existing space of Bullet. The space is Libbulletjme's, or jMonkeyEngine's with Minie.
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
 * <p><b>Threads.</b> Libbulletjme binds a space to the thread that created it. A space that was created before the service is started must
 * be an {@link UnboundPhysicsSpace}; a tick refuses any other.
 *
 * <p><b>Steps.</b> A tick is one step of the tick's length, {@code update(dt, 0)}, regardless of the space's accuracy; do not call
 * {@code update} any more. If other code steps the space, the next tick fails with the stack trace of that code.
 *
 * <p><b>Kinematic bodies.</b> Call {@code setPhysicsLocation} in every step of a {@code Simulation} around this one: Bullet computes the
 * body's velocity from the distance of the move, and with this velocity the body carries and pushes others. If a step follows two such
 * calls, only the last counts: after {@code setPhysicsRotation}, a {@code setPhysicsLocation} carries without turning, and vice versa. For
 * a jump that pushes nothing, make the same call of {@code setPhysicsLocation} twice. Place a body before {@code setKinematic(true)};
 * otherwise it seems to come from the origin.
 *
 * <p><b>Bodies.</b> Libbulletjme recreates a body whose mass changes from 0, or whose shape gets another scale: detach it before and attach
 * it afterwards.
 *
 * <p><b>Contacts</b> are Bullet's manifolds with at least one point, which may begin up to 2 cm before bodies touch. Reading them takes a
 * few native calls per point. A contact gives a shape as Bullet's index of the child of a compound, or of the triangle of a mesh, and any
 * other shape as -1. An object without contact response, such as a ghost, is a sensor. A closing speed counts bodies that are not dynamic
 * as at rest, because the binding does not return their velocity.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library, unless the library is
 * multi-threaded.
 *
 * <p>Steps and captures allocate only two iterators of the binding, which the JIT compiler removes; the events of a tick allocate eight
 * bytes for each pair of bodies that are near each other.
 */
public final class BulletWorldSimulation extends WorldSimulation<PhysicsSpace, PhysicsRigidBody> {

    /** The number of fixed substeps: 0 makes Bullet do one step of the given length. */
    private static final int NO_FIXED_STEPS = 0;

    /** A pose is a position of three numbers, and a rotation matrix of nine. */
    private static final int POSE_NUMBERS = 12;

    private final PhysicsSpace space;
    private final long spaceId;
    // Scratch objects, because the binding's getters allocate otherwise.
    private final Vec3d location = new Vec3d();
    private final Vector3f vector = new Vector3f();
    private final Quaternion rotation = new Quaternion();
    private final Matrix3f basis = new Matrix3f();
    private double stepSeconds = Double.POSITIVE_INFINITY;

    // Volatile: written by any thread that steps the space, read by the physics thread.
    private volatile @Nullable IllegalStateException otherStep;

    private final PhysicsTickListener ownSteps = new PhysicsTickListener() {
        @Override
        public void prePhysicsTick(PhysicsSpace stepped, float dtSeconds) {
            try {
                requireOwnStep();
            } catch (IllegalStateException e) {
                // Kept, not thrown here, because Bullet would continue the step and lose pairs that begin to touch in
                // it.
                otherStep = e;
            }
        }

        @Override
        public void physicsTick(PhysicsSpace stepped, float dtSeconds) {}
    };

    /**
     * Wraps a space, which belongs to this simulation until {@link #close()}.
     *
     * @param space the space to tick
     * @throws IllegalStateException if the space belongs to another simulation
     */
    public BulletWorldSimulation(PhysicsSpace space) {
        super(Objects.requireNonNull(space, "space must not be null; pass the space to tick"), POSE_NUMBERS, 3, null);
        this.space = space;
        spaceId = space.nativeId();
        space.addTickListener(ownSteps);
    }

    /**
     * Returns the native library that computes the states. Another library may compute other bits. Loads the library, unless the game has
     * loaded one.
     *
     * @return its Maven coordinates, with the version and the precision
     * @throws UnsupportedPlatformException if there is none for the running platform
     */
    public static String version() {
        BulletNatives.load();
        return BulletNatives.loadedLibrary().coordinates();
    }

    /**
     * {@return the source of a wheel's pose, for {@link #attachPart}} The wheel's axes are Bullet's.
     *
     * @param vehicle the vehicle; detach its wheels before a wheel is removed
     * @param index   the number of the wheel
     */
    public Part.Source wheel(PhysicsVehicle vehicle, int index) {
        VehicleWheel wheel = vehicle.getWheel(index);
        return (slot, poses) -> {
            vehicle.getController().updateWheelTransform(wheel); // otherwise the transform is one step old
            Vector3f at = wheel.getWheelWorldLocation(vector);
            Quaternion turned = wheel.getWheelWorldRotation(rotation);
            poses.setInWorld(slot, at.x, at.y, at.z, turned.getX(), turned.getY(), turned.getZ(), turned.getW());
            rotation.toRotationMatrix(basis);
            int axle = vehicle.rightAxisIndex();
            float spin = (float) (wheel.getDeltaRotation() / stepSeconds);
            poses.angularVelocity(
                    slot, spin * basis.get(0, axle), spin * basis.get(1, axle), spin * basis.get(2, axle));
        };
    }

    /**
     * {@return the source of a character's pose, for {@link #attachPart}, with the contacts of the character}
     *
     * @param character the character, in the space
     */
    public Part.Source character(PhysicsCharacter character) {
        Objects.requireNonNull(character, "character must not be null; pass one");
        return new Part.Source() {
            @Override
            public void write(int slot, PoseWriter poses) {
                BulletWorldSimulation.this.write(character, slot, poses);
            }

            @Override
            public Object engineObject() {
                return character;
            }
        };
    }

    private void write(PhysicsCollisionObject object, int slot, PoseWriter poses) {
        Vec3d at = object.getPhysicsLocationDp(location);
        Quaternion turned = object.getPhysicsRotation(rotation);
        poses.setInWorld(slot, at.x, at.y, at.z, turned.getX(), turned.getY(), turned.getZ(), turned.getW());
    }

    @Override
    protected void advance(Tick tick) {
        stepSeconds = tick.dtSeconds();
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

    /** Returns false, because Libbulletjme binds a space to the thread that made it, unless the space overrides {@code jniEnvId()}. */
    @Override
    protected boolean mayMove() {
        return false;
    }

    @Override
    protected QueryBodies<PhysicsRigidBody, ?> queryBodies() {
        return new BulletQueryBodies(space);
    }

    @Override
    protected boolean isInWorld(PhysicsRigidBody body) {
        return body.spaceId() == spaceId; // space.contains() would allocate
    }

    @Override
    protected boolean isAsleep(PhysicsRigidBody body) {
        boolean fixed = !body.isDynamic() && !body.isKinematic(); // needs no native call, unlike isStatic()
        return fixed || !body.isActive();
    }

    @Override
    protected void writePose(PhysicsRigidBody body, int slot, PoseWriter poses) {
        write((PhysicsCollisionObject) body, slot, poses);
    }

    @Override
    protected int doubleAxes() {
        return NativeLibrary.isDoublePrecision() ? 3 : 0;
    }

    /** Reads the rotation as a matrix, as Bullet stores it, because different matrices may have the same quaternion. */
    @Override
    protected int readPose(PhysicsRigidBody body, long[] bits, int at) {
        Vec3d place = body.getPhysicsLocationDp(location);
        bits[at] = Double.doubleToRawLongBits(place.x);
        bits[at + 1] = Double.doubleToRawLongBits(place.y);
        bits[at + 2] = Double.doubleToRawLongBits(place.z);
        body.getPhysicsRotationMatrix(basis);
        for (int i = 0; i < 9; i++) {
            bits[at + 3 + i] = Float.floatToRawIntBits(basis.get(i / 3, i % 3));
        }
        return at + 12;
    }

    /** Reads zeros for a body that is not dynamic, because the binding refuses to return its velocities. */
    @Override
    protected void readVelocities(PhysicsRigidBody body, long[] bits, int at) {
        boolean dynamic = body.isDynamic();
        read(dynamic ? body.getLinearVelocity(vector) : vector.set(0, 0, 0), bits, at);
        read(dynamic ? body.getAngularVelocity(vector) : vector.set(0, 0, 0), bits, at + 3);
    }

    @Override
    protected void pull(PhysicsRigidBody body, DragSpring spring) {
        if (body.isDynamic()) {
            Vec3d at = body.getPhysicsLocationDp(location);
            if (spring.pull(at.x, at.y, at.z)) {
                vector.set((float) spring.dvx(), (float) spring.dvy(), (float) spring.dvz());
                body.applyCentralImpulse(vector.multLocal(body.getMass())); // wakes the body
            }
        }
    }

    @Override
    protected BodyShape shapeOf(PhysicsRigidBody body, MeshBuilder mesh) {
        return new BodyShape(form(body.getCollisionShape()), body.isKinematic());
    }

    private static BodyShape.Form form(CollisionShape shape) {
        Vector3f scale = shape.getScale(null);
        if (shape instanceof BoxCollisionShape box) {
            Vector3f half = box.getHalfExtents(null).multLocal(scale);
            return new BodyShape.Box(half.x, half.y, half.z);
        }
        // Spheres and capsules have the same scale along all axes.
        if (shape instanceof SphereCollisionShape sphere) {
            return new BodyShape.Sphere(scale.x * sphere.getRadius());
        }
        if (shape instanceof CapsuleCollisionShape capsule && capsule.getAxis() == PhysicsSpace.AXIS_Y) {
            return new BodyShape.Capsule(scale.x * capsule.getRadius(), scale.x * capsule.getHeight() / 2);
        }
        // Bullet changes no shape. If the game changes a compound meanwhile, the query may fail, and be repeated.
        return new TriangleMesh(() -> {
            FloatBuffer triangles = DebugShapeFactory.getDebugTriangles(shape, DebugShapeFactory.lowResolution);
            float[] corners = new float[triangles.limit()];
            triangles.get(0, corners);
            return corners;
        });
    }

    /** Places both ends of a joint between a body and the world at the body's pivot, because the binding has no pivot of the world. */
    @Override
    protected Stream<BodyJoint> jointsOf() {
        return space.getJointList().stream()
                .filter(Constraint.class::isInstance)
                .map(Constraint.class::cast)
                .filter(joint -> Stream.of(joint.getBodyA(), joint.getBodyB())
                        .allMatch(body -> body == null || isInWorld(body))) // a space keeps joints of removed bodies
                .map(joint -> new BodyJoint(end(joint, JointEnd.A, JointEnd.B), end(joint, JointEnd.B, JointEnd.A)));
    }

    private BodyJoint.End end(Constraint joint, JointEnd end, JointEnd otherEnd) {
        PhysicsRigidBody own = (PhysicsRigidBody) joint.getBody(end);
        PhysicsRigidBody body = own == null ? (PhysicsRigidBody) joint.getBody(otherEnd) : own;
        joint.getPivot(own == null ? otherEnd : end, vector);
        long id = jointId(own);
        if (id == BodyJoint.End.WORLD) {
            body.getPhysicsRotationMatrix(basis).mult(vector, vector);
            vector.addLocal(body.getPhysicsLocation(null));
        }
        return new BodyJoint.End(id, vector.x, vector.y, vector.z);
    }

    /** Reads Bullet's manifolds, which also have the contacts of sleeping bodies. */
    @Override
    protected void reportContacts(ContactPairs touching) {
        for (long manifold : space.listManifoldIds()) {
            int points = PersistentManifolds.countPoints(manifold);
            if (points > 0) {
                report(manifold, points, touching);
            }
        }
    }

    /** Reports a manifold, which may have points of several shapes. */
    private void report(long manifold, int points, ContactPairs touching) {
        PhysicsCollisionObject object = PhysicsCollisionObject.findInstance(PersistentManifolds.getBodyAId(manifold));
        PhysicsCollisionObject other = PhysicsCollisionObject.findInstance(PersistentManifolds.getBodyBId(manifold));
        long side = sideOf(object);
        long otherSide = sideOf(other);
        if (side < 0 && otherSide < 0) {
            return;
        }
        boolean isSensor = !object.isContactResponse() || !other.isContactResponse();
        for (int i = 0; i < points; i++) {
            long contact = PersistentManifolds.getPointId(manifold, i);
            int shape = ManifoldPoints.getIndex0(contact);
            int otherShape = ManifoldPoints.getIndex1(contact);
            if (touching.touch(side, shape, otherSide, otherShape, isSensor)) {
                addPoint(contact, touching);
            } else if (shape < 0 && otherShape < 0) {
                return; // neither shape has parts, so all points belong to one contact
            }
        }
    }

    private void addPoint(long contact, ContactPairs touching) {
        ManifoldPoints.getPositionWorldOnBDp(contact, location);
        ManifoldPoints.getNormalWorldOnB(contact, vector); // points into the first body
        float distance = ManifoldPoints.getDistance1(contact);
        touching.point(
                location.x + distance / 2 * vector.x,
                location.y + distance / 2 * vector.y,
                location.z + distance / 2 * vector.z,
                -vector.x,
                -vector.y,
                -vector.z,
                -distance);
        touching.impulse(ManifoldPoints.getAppliedImpulse(contact));
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
