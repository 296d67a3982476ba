package dev.escapement.bench.demo;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3dc;

/**
 * A pile of boxes in Bullet, in single precision, on the physics thread alone. The same input gives the same bits in every run of the
 * same native library. Native memory is freed after {@link #close()}, when the garbage collector has found the objects.
 *
 * <p>A state cannot be saved: Bullet keeps impulses of contacts from step to step, and its binding cannot put them back.
 */
public final class BulletPile extends EnginePile<PhysicsRigidBody> {

    private static final float SLEEP_METRES_PER_SECOND = 0.1f;
    private static final float SLEEP_RADIANS_PER_SECOND = 0.1f;

    // Filled again and again, because the binding's getters allocate otherwise.
    private final Vector3f vector = new Vector3f();

    /**
     * Builds the world and, at the first time in a JVM, loads Bullet.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public BulletPile(BoxPile pile) {
        this(pile, createSpace());
    }

    private BulletPile(BoxPile pile, PhysicsSpace space) {
        // The binding frees native memory when the garbage collector has found that it is not used any more.
        super(new BulletWorldSimulation(space), addBoxes(pile, space), space::destroy);
    }

    @Override
    public Vector3dc position(int body) {
        box(body).getPhysicsLocation(vector);
        return place.set(vector.x, vector.y, vector.z);
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        vector.set((float) dvx, (float) dvy, (float) dvz).multLocal(BoxPile.MASS_KILOGRAMS);
        box(body).applyCentralImpulse(vector); // wakes it
    }

    private static PhysicsSpace createSpace() {
        BulletNatives.load();
        CollisionSpace before = CollisionSpace.getCollisionSpace();
        PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        CollisionSpace.setLocalThreadPhysicsSpace(before); // the thread would keep the new one for as long as it lives
        space.setOverlapFilterEnabled(false); // otherwise it calls Java for each new pair
        PhysicsRigidBody floor = new PhysicsRigidBody(
                new BoxCollisionShape(
                        BoxPile.FLOOR_HALF_EXTENT_METRES,
                        BoxPile.FLOOR_HALF_THICKNESS_METRES,
                        BoxPile.FLOOR_HALF_EXTENT_METRES),
                PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -BoxPile.FLOOR_HALF_THICKNESS_METRES, 0));
        floor.setFriction((float) BoxPile.FRICTION);
        space.addCollisionObject(floor);
        return space;
    }

    private static List<PhysicsRigidBody> addBoxes(BoxPile pile, PhysicsSpace space) {
        List<PhysicsRigidBody> boxes = new ArrayList<>();
        BoxCollisionShape shape = new BoxCollisionShape(BoxPile.HALF_EXTENT);
        for (double[] place : pile.places()) {
            PhysicsRigidBody body = new PhysicsRigidBody(shape, BoxPile.MASS_KILOGRAMS);
            body.setPhysicsLocation(new Vector3f((float) place[0], (float) place[1], (float) place[2]));
            body.setFriction((float) BoxPile.FRICTION);
            body.setSleepingThresholds(SLEEP_METRES_PER_SECOND, SLEEP_RADIANS_PER_SECOND);
            space.addCollisionObject(body);
            boxes.add(body);
        }
        return boxes;
    }
}
