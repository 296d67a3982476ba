package dev.escapement.physics.bullet;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.RayTestFlag;
import com.jme3.bullet.collision.ManifoldPoints;
import com.jme3.bullet.collision.PhysicsCollisionEvent;
import com.jme3.bullet.collision.PhysicsCollisionListener;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.collision.PhysicsRayTestResult;
import com.jme3.bullet.collision.PhysicsSweepTestResult;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CapsuleCollisionShape;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.ConvexShape;
import com.jme3.bullet.collision.shapes.GImpactCollisionShape;
import com.jme3.bullet.collision.shapes.MeshCollisionShape;
import com.jme3.bullet.collision.shapes.SphereCollisionShape;
import com.jme3.bullet.collision.shapes.infos.IndexedMesh;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsGhostObject;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.jme3.math.Transform;
import com.jme3.math.Vector3f;
import com.simsilica.mathd.Vec3d;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Bullet's queries, in a second space of static bodies that share the shapes of those that are stepped.
 *
 * <p>Setting a body's pose leaves its bounds in the broad phase as they were. Only a step updates them, and only those of active bodies, so
 * {@link #move} activates a body. The step does nothing else: static bodies make no pairs.
 *
 * <p>One thread at a time. The binding allocates the results of a query.
 */
final class BulletQueries implements QueryEngine<BulletQueryBodies.Description, BulletQueries.Copy> {

    /** A body in {@link #space}. */
    static final class Copy {

        final PhysicsRigidBody body;
        final int slot;
        final long group;
        boolean isActive;

        Copy(PhysicsRigidBody body, int slot, long group) {
            this.body = body;
            this.slot = slot;
            this.group = group;
            body.setUserObject(this);
        }
    }

    /** The deepest point of a shape that overlaps a form. */
    private static final class Overlap {

        @Nullable
        Copy copy;

        int shape;
        float distance;
        final Vec3d point = new Vec3d();
        final Vector3f normal = new Vector3f();
    }

    /** The length of a step that updates bounds, seconds. Bullet takes a length below 1e-7 for none. */
    private static final float STEP_SECONDS = 1e-6f;

    /** A sweep ends up to 1 mm before the form touches. At this distance beyond, the form overlaps the body, metres. */
    private static final float BEYOND_METRES = 0.002f;

    /** Rounds the edges of boxes that ask. With Bullet's usual 4 cm, one overlap in 60,000 with a large box is not found, metres. */
    static final float MARGIN_METRES = 0.001f;

    private static final Comparator<PhysicsSweepTestResult> NEAREST =
            (one, other) -> Float.compare(one.getHitFraction(), other.getHitFraction());

    private final PhysicsSpace space;

    /** The bodies that ask, by their form. They are not in the space. */
    private final Map<Form, PhysicsGhostObject> probes = new HashMap<>();

    /** Copies of the shapes that threads cannot share. */
    private final Map<CollisionShape, CollisionShape> meshes = new WeakHashMap<>();

    // Scratch objects, because new ones for each call would be garbage.
    private final Vec3d from = new Vec3d();
    private final Vec3d to = new Vec3d();
    private final Quaternion rotation = new Quaternion();
    private final Vector3f normal = new Vector3f();
    private final Transform start = new Transform();
    private final Transform end = new Transform();
    private final List<PhysicsRayTestResult> rayResults = new ArrayList<>();
    private final List<PhysicsSweepTestResult> sweepResults = new ArrayList<>();
    private final List<Overlap> overlaps = new ArrayList<>();
    private int overlapCount;

    // A filter of the game may throw, which a native caller would not survive. So this only collects.
    private final PhysicsCollisionListener collector = this::collect;

    BulletQueries(int rayTestFlags) {
        CollisionSpace ofThread = CollisionSpace.getCollisionSpace();
        space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        CollisionSpace.setLocalThreadPhysicsSpace(ofThread); // a new space would replace it
        // The other algorithm also hits convex shapes that a ray passes at 1 cm, or more if it does not converge.
        space.setRayTestFlags(rayTestFlags | RayTestFlag.GjkRaytest);
        space.setForceUpdateAllAabbs(false);
    }

    @Override
    public Copy add(BulletQueryBodies.Description described, int slot) {
        PhysicsRigidBody body = new PhysicsRigidBody(shared(described.shape()), PhysicsBody.massForStatic);
        Copy copy = new Copy(body, slot, Integer.toUnsignedLong(described.group()));
        body.setPhysicsLocationDp(described.location());
        body.setPhysicsRotation(described.rotation());
        space.addCollisionObject(body);
        return copy;
    }

    private CollisionShape shared(CollisionShape shape) {
        return shape instanceof GImpactCollisionShape gImpact
                ? meshes.computeIfAbsent(shape, key -> meshOf(gImpact))
                : shape;
    }

    private static MeshCollisionShape meshOf(GImpactCollisionShape shape) {
        IndexedMesh[] parts = new IndexedMesh[shape.countSubmeshes()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = shape.getSubmesh(i);
        }
        MeshCollisionShape mesh = new MeshCollisionShape(true, parts);
        mesh.setMargin(shape.getMargin());
        mesh.setScale(shape.getScale(null));
        return mesh;
    }

    @Override
    public void remove(Copy copy) {
        space.removeCollisionObject(copy.body);
    }

    @Override
    public void move(Copy copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        copy.body.setPhysicsLocationDp(from.set(x, y, z));
        copy.body.setPhysicsRotation(rotation.set(qx, qy, qz, qw));
        if (!copy.isActive) {
            copy.isActive = true;
            copy.body.activate(true);
        }
    }

    @Override
    public void moved() {
        space.update(STEP_SECONDS, 0);
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits) {
        space.rayTestDp(from.set(x, y, z), to.set(x + wayX, y + wayY, z + wayZ), rayResults); // the nearest first
        for (int i = 0; i < rayResults.size(); i++) {
            PhysicsRayTestResult result = rayResults.get(i);
            float fraction = result.getHitFraction();
            Copy copy = copyOf(result.getCollisionObject());
            if (hits.wants(copy.slot, copy.group, result.triangleIndex(), fraction)) {
                result.getHitNormalLocal(normal); // is in the world, despite its name
                hits.add(
                        x + (double) fraction * wayX,
                        y + (double) fraction * wayY,
                        z + (double) fraction * wayZ,
                        normal.x,
                        normal.y,
                        normal.z);
                if (hits.isFirstOnly()) {
                    break;
                }
            }
        }
        rayResults.clear();
    }

    private static Copy copyOf(PhysicsCollisionObject body) {
        return (Copy) body.getUserObject();
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits) {
        overlapCount = 0;
        space.contactTest(probe(form, from.set(x, y, z), rotation.set(qx, qy, qz, qw)), collector);
        for (int i = 0; i < overlapCount; i++) {
            Overlap overlap = overlaps.get(i);
            Copy copy = overlap.copy;
            overlap.copy = null; // else the body would stay
            if (copy != null && hits.wants(copy.slot, copy.group, overlap.shape, 0)) {
                Vec3d at = overlap.point;
                hits.add(at.x, at.y, at.z, overlap.normal.x, overlap.normal.y, overlap.normal.z);
            }
        }
    }

    /** Keeps the deepest point of each shape. Bullet reports the points of a shape one after the other. */
    private void collect(PhysicsCollisionEvent event) {
        boolean isProbeFirst = event.getObjectB().getUserObject() instanceof Copy;
        Copy copy = copyOf(isProbeFirst ? event.getObjectB() : event.getObjectA());
        int shape = isProbeFirst ? event.getIndex1() : event.getIndex0();
        float distance = event.getDistance1();
        Overlap overlap = overlapCount == 0 ? null : overlaps.get(overlapCount - 1);
        if (overlap == null || overlap.copy != copy || overlap.shape != shape) {
            if (overlaps.size() == overlapCount) {
                overlaps.add(new Overlap());
            }
            overlap = overlaps.get(overlapCount++);
        } else if (distance >= overlap.distance) {
            return;
        }
        overlap.copy = copy;
        overlap.shape = shape;
        overlap.distance = distance;
        long contact = event.nativeId();
        ManifoldPoints.getNormalWorldOnB(contact, overlap.normal); // points out of the second body
        if (isProbeFirst) {
            ManifoldPoints.getPositionWorldOnBDp(contact, overlap.point);
        } else {
            ManifoldPoints.getPositionWorldOnADp(contact, overlap.point);
            overlap.normal.negateLocal();
        }
    }

    /** Asks with single precision, because the binding has no other sweeps. */
    @Override
    public void sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryHits hits) {
        PhysicsGhostObject probe = probe(form, from.set(x, y, z), rotation.set(qx, qy, qz, qw));
        start.setRotation(rotation).getTranslation().set((float) x, (float) y, (float) z);
        end.setRotation(rotation).getTranslation().set((float) (x + wayX), (float) (y + wayY), (float) (z + wayZ));
        space.sweepTest((ConvexShape) probe.getCollisionShape(), start, end, sweepResults, 0);
        sweepResults.sort(NEAREST);
        for (int i = 0; i < sweepResults.size(); i++) {
            PhysicsSweepTestResult result = sweepResults.get(i);
            float fraction = result.getHitFraction();
            Copy copy = copyOf(result.getCollisionObject());
            if (hits.wants(copy.slot, copy.group, result.triangleIndex(), fraction)) {
                result.getHitNormalLocal(normal); // is in the world, despite its name
                from.set(x + (double) fraction * wayX, y + (double) fraction * wayY, z + (double) fraction * wayZ);
                findPoint(probe, copy, result.triangleIndex());
                hits.add(to.x, to.y, to.z, normal.x, normal.y, normal.z);
                break;
            }
        }
        sweepResults.clear();
    }

    /**
     * Sets {@link #to} to the hit point of a form that has been swept to {@link #from}. The result of a sweep has no point, so this finds
     * where the form overlaps the body a little farther on; failing that, the point is the form's position.
     */
    private void findPoint(PhysicsGhostObject probe, Copy copy, int shape) {
        to.set(from);
        from.addLocal(-BEYOND_METRES * normal.x, -BEYOND_METRES * normal.y, -BEYOND_METRES * normal.z);
        probe.setPhysicsLocationDp(from);
        overlapCount = 0;
        space.pairTest(probe, copy.body, collector);
        float deepest = Float.POSITIVE_INFINITY;
        for (int i = 0; i < overlapCount; i++) {
            Overlap overlap = overlaps.get(i);
            overlap.copy = null;
            if (overlap.shape == shape && overlap.distance < deepest) {
                deepest = overlap.distance;
                to.set(overlap.point);
            }
        }
    }

    private PhysicsGhostObject probe(Form form, Vec3d at, Quaternion turned) {
        PhysicsGhostObject probe = probes.get(form);
        if (probe == null) {
            probe = new PhysicsGhostObject(create(form));
            probe.setCollideWithGroups(-1); // all: a query has its own filter
            probes.put(form, probe);
        }
        probe.setPhysicsLocationDp(at);
        probe.setPhysicsRotation(turned);
        return probe;
    }

    private static ConvexShape create(Form form) {
        if (form instanceof BodyShape.Box box) {
            BoxCollisionShape shape = new BoxCollisionShape(box.halfX(), box.halfY(), box.halfZ());
            shape.setMargin(MARGIN_METRES);
            return shape;
        }
        if (form instanceof BodyShape.Sphere ball) {
            return new SphereCollisionShape(ball.radius());
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        return new CapsuleCollisionShape(capsule.radius(), 2 * capsule.halfHeight());
    }

    /** Empties the space, which the binding's cleaner frees. */
    @Override
    public void close() {
        space.destroy();
        probes.clear();
    }
}
