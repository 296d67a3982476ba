package dev.escapement.bench.demo;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CapsuleCollisionShape;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.SphereCollisionShape;
import com.jme3.bullet.joints.HingeJoint;
import com.jme3.bullet.joints.JointEnd;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.state.world.BodyShape;
import java.util.HashMap;
import java.util.Map;
import org.joml.Vector3d;
import org.joml.Vector3dc;

/**
 * A pile or a machine in Bullet, in single precision. The physics thread steps it alone. The same input gives the same bits in every run of
 * the same native library. The garbage collector frees the native memory some time after the simulation was closed.
 *
 * <p>A state cannot be saved: Bullet keeps impulses of contacts from step to step, and its Java binding cannot set them.
 */
final class BulletWorld extends EngineWorld<PhysicsRigidBody> {

    private static final float SLEEP_METRES_PER_SECOND = 0.1f;
    private static final float SLEEP_RADIANS_PER_SECOND = 0.1f;

    /**
     * The mass of a part of the machine. It is so large that no body moves the part, because in a contact Bullet moves even kinematic
     * bodies, by their mass.
     */
    private static final float PART_KILOGRAMS = 1e6f;

    private final PhysicsSpace space;
    private final BulletWorldSimulation simulation;
    private final Map<BodyShape.Form, CollisionShape> shapes = new HashMap<>();

    // Reused, because the binding's getters otherwise allocate.
    private final Vector3f vector = new Vector3f();
    private final Quaternion rotation = new Quaternion();

    BulletWorld(Scene scene) {
        BulletNatives.load();
        CollisionSpace before = CollisionSpace.getCollisionSpace();
        space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        // Resets the thread's current space, else the thread would reference the new space as long as the thread lives.
        CollisionSpace.setLocalThreadPhysicsSpace(before);
        // A pile needs no filter, and the filter calls from native code into Java for each new pair of bodies.
        space.setOverlapFilterEnabled(scene.machine() != null);
        space.setGravity(new Vector3f(0, (float) scene.gravity(), 0));
        simulation = new BulletWorldSimulation(space);
    }

    @Override
    BulletWorldSimulation simulation() {
        return simulation;
    }

    private CollisionShape shape(BodyShape.Form form) {
        return shapes.computeIfAbsent(form, wanted -> {
            if (wanted instanceof BodyShape.Sphere sphere) {
                return new SphereCollisionShape(sphere.radius());
            }
            if (wanted instanceof BodyShape.Capsule capsule) {
                return new CapsuleCollisionShape(capsule.radius(), 2 * capsule.halfHeight());
            }
            BodyShape.Box box = (BodyShape.Box) wanted;
            return new BoxCollisionShape(box.halfX(), box.halfY(), box.halfZ());
        });
    }

    @Override
    PhysicsRigidBody add(Solid solid) {
        boolean isKinematic = solid.motion() == Motion.KINEMATIC;
        float kilograms = isKinematic ? PART_KILOGRAMS : solid.kilograms(); // 0 makes a body static
        PhysicsRigidBody body = new PhysicsRigidBody(shape(solid.form()), kilograms);
        body.setPhysicsRotation(setTurn(solid.turn()));
        body.setPhysicsLocation(new Vector3f((float) solid.x(), (float) solid.y(), (float) solid.z()));
        if (isKinematic) {
            body.setKinematic(true);
        } else if (solid.isDynamic()) {
            body.setSleepingThresholds(SLEEP_METRES_PER_SECOND, SLEEP_RADIANS_PER_SECOND);
        }
        body.setFriction((float) solid.friction());
        body.setCollisionGroup(solid.group());
        body.setCollideWithGroups(solid.meets());
        space.addCollisionObject(body);
        return body;
    }

    @Override
    void hang(PhysicsRigidBody body, Vector3dc from) {
        Vector3f hinge = new Vector3f((float) from.x(), (float) from.y(), (float) from.z());
        Vector3f inBody = hinge.subtract(body.getPhysicsLocation(null));
        body.setEnableSleep(false);
        space.addJoint(new HingeJoint(body, inBody, hinge, Vector3f.UNIT_Z, Vector3f.UNIT_Z, JointEnd.B));
    }

    @Override
    Vector3dc position(PhysicsRigidBody body, Vector3d to) {
        body.getPhysicsLocation(vector);
        return to.set(vector.x, vector.y, vector.z);
    }

    @Override
    void push(PhysicsRigidBody body, float kilograms, double dvx, double dvy, double dvz) {
        vector.set((float) dvx, (float) dvy, (float) dvz).multLocal(kilograms);
        body.applyCentralImpulse(vector); // also wakes the body
    }

    @Override
    void move(PhysicsRigidBody part, double x, double y, double z, double turn, double dtSeconds) {
        part.setPhysicsRotation(setTurn(turn));
        // The position last: of both calls, only the last one makes the part carry the bodies that lie on it.
        part.setPhysicsLocation(vector.set((float) x, (float) y, (float) z));
    }

    @Override
    void moveBody(PhysicsRigidBody body, double x, double y, double z) {
        body.setPhysicsLocation(vector.set((float) x, (float) y, (float) z));
        body.setLinearVelocity(vector.set(0, 0, 0));
        body.setAngularVelocity(vector);
        body.activate();
    }

    private Quaternion setTurn(double turn) {
        return rotation.set(0, 0, (float) Sine.of(turn / 2), (float) Sine.cosine(turn / 2));
    }

    /** Empties the space. The Java binding frees native memory only when the garbage collector finds the objects. */
    @Override
    void free() {
        space.destroy();
    }
}
