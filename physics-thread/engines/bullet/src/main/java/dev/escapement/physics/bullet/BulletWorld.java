package dev.escapement.physics.bullet;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.scene.BoxPile;

/** Bullet's objects for one pile of boxes on a floor. Used by one thread at a time. */
final class BulletWorld implements AutoCloseable {

    private static final float FLOOR_HALF_EXTENT_METRES = 200;
    private static final float FLOOR_HALF_THICKNESS_METRES = 5;
    private static final float FRICTION = 0.5f;

    private static final float SLEEP_METRES_PER_SECOND = 0.1f;
    private static final float SLEEP_RADIANS_PER_SECOND = 0.1f;

    private final PhysicsSpace space;
    private final PhysicsRigidBody[] bodies;

    BulletWorld(BoxPile pile) {
        BulletNatives.load();
        space = createSpace();
        space.setOverlapFilterEnabled(false); // it would ask Java about each new pair
        bodies = new PhysicsRigidBody[pile.boxes()];
        addFloor();
        addBoxes(pile);
    }

    PhysicsSpace space() {
        return space;
    }

    PhysicsRigidBody[] bodies() {
        return bodies;
    }

    /** Empties the space; the binding frees native memory when the garbage collector has found that nobody has the objects. */
    @Override
    public void close() {
        space.destroy();
    }

    /** The thread would keep the space that it made last for as long as it lives. */
    private static PhysicsSpace createSpace() {
        CollisionSpace before = CollisionSpace.getCollisionSpace();
        PhysicsSpace created = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        CollisionSpace.setLocalThreadPhysicsSpace(before);
        return created;
    }

    private void addFloor() {
        PhysicsRigidBody floor = new PhysicsRigidBody(
                new BoxCollisionShape(FLOOR_HALF_EXTENT_METRES, FLOOR_HALF_THICKNESS_METRES, FLOOR_HALF_EXTENT_METRES),
                PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -FLOOR_HALF_THICKNESS_METRES, 0));
        floor.setFriction(FRICTION);
        space.addCollisionObject(floor);
    }

    private void addBoxes(BoxPile pile) {
        BoxCollisionShape shape = new BoxCollisionShape(BoxPile.HALF_EXTENT);
        pile.forEach((box, x, y, z) -> {
            PhysicsRigidBody body = new PhysicsRigidBody(shape, BoxPile.MASS_KILOGRAMS);
            body.setPhysicsLocation(new Vector3f((float) x, (float) y, (float) z));
            body.setFriction(FRICTION);
            body.setSleepingThresholds(SLEEP_METRES_PER_SECOND, SLEEP_RADIANS_PER_SECOND);
            space.addCollisionObject(body);
            bodies[box] = body;
        });
    }
}
