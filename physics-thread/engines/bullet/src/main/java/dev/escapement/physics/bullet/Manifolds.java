package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.ManifoldPoints;
import com.jme3.bullet.collision.PersistentManifolds;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.math.Vector3f;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.contact.ContactPairs;
import java.util.function.ToLongFunction;

/**
 * Reads the contacts after a step from Bullet's manifolds, which also have those of sleeping bodies. A manifold may have points of several
 * shapes.
 *
 * <p>Used by one thread. Allocates eight bytes for each pair of bodies that are near each other.
 */
final class Manifolds {

    private final PhysicsSpace space;
    private final ToLongFunction<Object> sideOf;
    private final Vec3d point = new Vec3d();
    private final Vector3f normal = new Vector3f();

    Manifolds(PhysicsSpace space, ToLongFunction<Object> sideOf) {
        this.space = space;
        this.sideOf = sideOf;
    }

    void report(ContactPairs touching) {
        for (long manifold : space.listManifoldIds()) {
            int points = PersistentManifolds.countPoints(manifold);
            if (points > 0) {
                report(manifold, points, touching);
            }
        }
    }

    private void report(long manifold, int points, ContactPairs touching) {
        PhysicsCollisionObject object = PhysicsCollisionObject.findInstance(PersistentManifolds.getBodyAId(manifold));
        PhysicsCollisionObject other = PhysicsCollisionObject.findInstance(PersistentManifolds.getBodyBId(manifold));
        long side = sideOf.applyAsLong(object);
        long otherSide = sideOf.applyAsLong(other);
        if (side < 0 && otherSide < 0) {
            return;
        }
        boolean isSensor = !object.isContactResponse() || !other.isContactResponse();
        for (int i = 0; i < points; i++) {
            long contact = PersistentManifolds.getPointId(manifold, i);
            int shape = ManifoldPoints.getIndex0(contact);
            int otherShape = ManifoldPoints.getIndex1(contact);
            if (touching.touch(side, shape, otherSide, otherShape, isSensor)) {
                add(contact, touching);
            } else if (shape < 0 && otherShape < 0) {
                return; // neither has parts: all points are of this contact
            }
        }
    }

    private void add(long contact, ContactPairs touching) {
        ManifoldPoints.getPositionWorldOnBDp(contact, point);
        ManifoldPoints.getNormalWorldOnB(contact, normal); // into the first body
        float distance = ManifoldPoints.getDistance1(contact);
        touching.point(
                point.x + distance / 2 * normal.x,
                point.y + distance / 2 * normal.y,
                point.z + distance / 2 * normal.z,
                -normal.x,
                -normal.y,
                -normal.z,
                -distance);
        touching.impulse(ManifoldPoints.getAppliedImpulse(contact));
    }
}
