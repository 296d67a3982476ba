package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.ManifoldPoints;
import com.jme3.bullet.collision.PersistentManifolds;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.event.EventWriter;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the contacts after a step from Bullet's manifolds, which also have those of sleeping bodies.
 *
 * <p>Used by one thread. Allocates eight bytes for each pair of bodies that are near each other.
 */
final class Manifolds {

    private final PhysicsSpace space;
    private final ToIntFunction<@Nullable PhysicsRigidBody> slotOf;
    private final Vector3f point = new Vector3f();
    private final Vector3f normal = new Vector3f();

    Manifolds(PhysicsSpace space, ToIntFunction<@Nullable PhysicsRigidBody> slotOf) {
        this.space = space;
        this.slotOf = slotOf;
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
        int slot = slot(PersistentManifolds.getBodyAId(manifold));
        int other = slot(PersistentManifolds.getBodyBId(manifold));
        if (!touching.see(slot, other)) {
            begin(manifold, points, slot, other, touching);
        }
        if (touching.began(slot, other)) { // also of other manifolds of a pair
            for (int i = 0; i < points; i++) {
                long contact = PersistentManifolds.getPointId(manifold, i);
                touching.impulse(slot, other, ManifoldPoints.getAppliedImpulse(contact));
            }
        }
    }

    private void begin(long manifold, int points, int slot, int other, ContactPairs touching) {
        long deepest = PersistentManifolds.getPointId(manifold, 0);
        for (int i = 1; i < points; i++) {
            long contact = PersistentManifolds.getPointId(manifold, i);
            deepest = ManifoldPoints.getDistance1(contact) < ManifoldPoints.getDistance1(deepest) ? contact : deepest;
        }
        ManifoldPoints.getPositionWorldOnB(deepest, point);
        ManifoldPoints.getNormalWorldOnB(deepest, normal); // into the first body
        float half = ManifoldPoints.getDistance1(deepest) / 2;
        touching.begin(
                slot,
                other,
                point.x + half * normal.x,
                point.y + half * normal.y,
                point.z + half * normal.z,
                -normal.x,
                -normal.y,
                -normal.z);
    }

    private int slot(long objectId) {
        PhysicsCollisionObject object = PhysicsCollisionObject.findInstance(objectId);
        return object instanceof PhysicsRigidBody body ? slotOf.applyAsInt(body) : EventWriter.NO_BODY;
    }
}
