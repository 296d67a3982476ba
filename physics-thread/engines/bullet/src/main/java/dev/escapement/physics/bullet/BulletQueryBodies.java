package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.CompoundCollisionShape;
import com.jme3.bullet.collision.shapes.CustomConvexShape;
import com.jme3.bullet.collision.shapes.GImpactCollisionShape;
import com.jme3.bullet.collision.shapes.infos.ChildCollisionShape;
import com.jme3.bullet.objects.PhysicsCharacter;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Describes Bullet's bodies to query worlds. A description shares the body's shape, which Bullet's own queries and steps only read. */
final class BulletQueryBodies implements QueryBodies<PhysicsRigidBody, BulletQueryBodies.Description> {

    /** What queries need of a body. Keeps the shape from the cleaner, which frees the native shapes of unreachable objects. */
    record Description(CollisionShape shape, int group, Vec3d location, Quaternion rotation) {}

    /** Identifies a body, whose own hash is its native id, which changes if a static body gets a mass. */
    private record Key(PhysicsRigidBody body) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.body == body;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(body);
        }
    }

    private final PhysicsSpace space;

    BulletQueryBodies(PhysicsSpace space) {
        this.space = space;
    }

    @Override
    public Object key(PhysicsRigidBody body) {
        return new Key(body);
    }

    /** Returns null for a body whose shape only one thread can ask. */
    @Override
    public @Nullable Description describe(PhysicsRigidBody body) {
        CollisionShape shape = body.getCollisionShape();
        if (isBound(shape)) {
            return null;
        }
        Vec3d at = body.getPhysicsLocationDp(null);
        return new Description(shape, body.getCollisionGroup(), at, body.getPhysicsRotation(null));
    }

    /**
     * Returns whether queries of another thread would harm a shape, or fail. A query locks the mesh of a GImpact shape without being safe
     * for threads; {@link BulletQueries} copies such a shape, but not a compound of them.
     */
    private static boolean isBound(CollisionShape shape) {
        if (shape instanceof CompoundCollisionShape compound) {
            for (ChildCollisionShape child : compound.listChildren()) {
                if (child.getShape() instanceof GImpactCollisionShape || isBound(child.getShape())) {
                    return true;
                }
            }
        }
        return shape instanceof CustomConvexShape;
    }

    @Override
    public int describeFixed(Predicate<PhysicsRigidBody> attached, BiConsumer<Object, Description> fixed) {
        int unseen = 0;
        for (PhysicsCollisionObject object : space.getPcoList()) {
            if (object instanceof PhysicsRigidBody body) {
                boolean isAttached = attached.test(body);
                Description description = isAttached || !body.isStatic() ? null : describe(body);
                if (description != null) {
                    fixed.accept(key(body), description);
                } else if (!isAttached || isBound(body.getCollisionShape())) {
                    unseen++;
                }
            } else if (!(object instanceof PhysicsCharacter)) { // which is a part
                unseen++;
            }
        }
        return unseen;
    }

    @Override
    public QueryEngine<Description, ?> open() {
        return new BulletQueries(space.getRayTestFlags());
    }
}
