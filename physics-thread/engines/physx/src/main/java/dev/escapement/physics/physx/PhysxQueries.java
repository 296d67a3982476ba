package dev.escapement.physics.physx;

import dev.escapement.physics.physx.PhysxQueryBodies.Description;
import dev.escapement.physics.physx.PhysxQueryBodies.Part;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWear;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import physx.PxTopLevelFunctions;
import physx.common.PxDefaultCpuDispatcher;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxCapsuleGeometry;
import physx.geometry.PxGeometry;
import physx.geometry.PxGeometryQuery;
import physx.geometry.PxSphereGeometry;
import physx.physics.PxFilterData;
import physx.physics.PxHitFlagEnum;
import physx.physics.PxHitFlags;
import physx.physics.PxOverlapResult;
import physx.physics.PxPhysics;
import physx.physics.PxQueryFilterData;
import physx.physics.PxQueryFlagEnum;
import physx.physics.PxQueryFlags;
import physx.physics.PxRaycastHit;
import physx.physics.PxRaycastResult;
import physx.physics.PxScene;
import physx.physics.PxSceneDesc;
import physx.physics.PxShape;
import physx.physics.PxShapeExt;
import physx.physics.PxSweepHit;
import physx.physics.PxSweepResult;

/**
 * PhysX's queries, in a second scene of static actors, which is never simulated.
 *
 * <p>PhysX puts an actor that comes after the first query into a second tree, and widens the nodes above a moved actor. Only steps would
 * build the tree again, so this builds it once bodies have moved by a quarter of their size on average. A body that comes counts as one
 * that moved by its size.
 *
 * <p>The binding's results contain all hits of a ray or sweep, also when one is wanted, and it has no filters.
 *
 * <p>One thread at a time. Allocates Java objects that the JIT compiler removes.
 */
final class PhysxQueries implements QueryEngine<Description, PhysxQueries.Copy> {

    /** An actor in {@link #scene}. */
    static final class Copy extends QueryWear.Copy {

        final Description description;
        final boolean isFixed;
        private int place;

        Copy(Description description, boolean isFixed) {
            super(size(description.actor.getWorldBounds().getDimensions()));
            this.description = description;
            this.isFixed = isFixed;
            PxTransform pose = description.actor.getGlobalPose();
            PxVec3 at = pose.getP();
            PxQuat turned = pose.getQ();
            moveTo(at.getX(), at.getY(), at.getZ(), turned.getX(), turned.getY(), turned.getZ());
        }

        private static double size(PxVec3 lengths) {
            double longest = Math.max(lengths.getX(), Math.max(lengths.getY(), lengths.getZ()));
            return Math.min(LARGEST, longest / 2);
        }
    }

    /** A larger body counts as one of this size: else the ground, or a plane without end, would be nearly all of the sum, metres. */
    private static final double LARGEST = 10;

    private static final float HALF_ROOT = (float) Math.sqrt(0.5);

    private final PxScene scene;
    private final PxDefaultCpuDispatcher dispatcher =
            PxTopLevelFunctions.DefaultCpuDispatcherCreate(0); // has no threads
    private final List<Copy> copies = new ArrayList<>();

    /** The shapes of all copies. The first word of a shape's query filter data is the place of its part here. */
    private final List<Part> parts = new ArrayList<>();

    private final Map<Form, PxGeometry> geometries = new HashMap<>();
    private final QueryWear wear = new QueryWear();

    // Scratch objects, because new ones for each call would be garbage.
    private final PxVec3 at = new PxVec3();
    private final PxVec3 direction = new PxVec3();
    private final PxVec3 nearest = new PxVec3();
    private final PxQuat rotation = new PxQuat(0, 0, 0, 1);
    private final PxTransform pose = new PxTransform(at, rotation);
    private final PxFilterData number = new PxFilterData();
    private final PxRaycastResult rayHits = new PxRaycastResult();
    private final PxOverlapResult overlaps = new PxOverlapResult();
    private final PxSweepResult sweepHits = new PxSweepResult();
    private final PxHitFlags told = new PxHitFlags((short) PxHitFlagEnum.eDEFAULT.value);
    private final PxQueryFlags allFlags =
            new PxQueryFlags((short) (PxQueryFlagEnum.eSTATIC.value | PxQueryFlagEnum.eNO_BLOCK.value));
    private final PxQueryFilterData all = new PxQueryFilterData(allFlags);

    PhysxQueries(PxPhysics physics) {
        PxSceneDesc description = new PxSceneDesc(physics.getTolerancesScale());
        description.setCpuDispatcher(dispatcher);
        description.setFilterShader(PxTopLevelFunctions.DefaultFilterShader());
        scene = physics.createScene(description);
        description.destroy();
    }

    @Override
    public Copy add(Description description, int slot) {
        Copy copy = new Copy(description, slot < 0);
        for (Part part : description.parts) {
            part.slot = slot;
            part.place = parts.size();
            parts.add(part);
            number(part);
        }
        copy.place = copies.size();
        copies.add(copy);
        scene.addActor(description.actor);
        description.setShown(true);
        if (!copy.isFixed) {
            wear.add(copy);
        }
        wear.came(copy);
        return copy;
    }

    private void number(Part part) {
        number.setWord0(part.place);
        part.shape.setQueryFilterData(number);
    }

    private void setPose(double x, double y, double z, float qx, float qy, float qz, float qw) {
        setStart(x, y, z);
        rotation.setX(qx);
        rotation.setY(qy);
        rotation.setZ(qz);
        rotation.setW(qw);
        pose.setP(at);
        pose.setQ(rotation);
    }

    private void setStart(double x, double y, double z) {
        at.setX((float) x);
        at.setY((float) y);
        at.setZ((float) z);
    }

    /** Removes a copy. The last ones of the lists take its places. */
    @Override
    public void remove(Copy copy) {
        scene.removeActor(copy.description.actor);
        for (Part part : copy.description.parts) {
            Part last = parts.remove(parts.size() - 1);
            if (last != part) {
                last.place = part.place;
                parts.set(part.place, last);
                number(last);
            }
        }
        Copy last = copies.remove(copies.size() - 1);
        if (last != copy) {
            last.place = copy.place;
            copies.set(copy.place, last);
        }
        if (!copy.isFixed) {
            wear.remove(copy);
        }
        copy.description.setShown(false);
    }

    @Override
    public void move(Copy copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        wear.move(copy, x, y, z, qx, qy, qz);
        setPose(x, y, z, qx, qy, qz, qw);
        copy.description.actor.setGlobalPose(pose);
    }

    @Override
    public void moved() {
        if (wear.isWorn()) {
            scene.forceDynamicTreeRebuild(true, false);
            wear.repaired();
        } else {
            scene.flushQueryUpdates();
        }
    }

    @Override
    public void free(Description description) {
        description.forget();
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits) {
        setStart(x, y, z);
        double length = setWay(wayX, wayY, wayZ);
        if (!scene.raycast(at, direction, (float) length, rayHits, told, all)) {
            return;
        }
        for (int i = 0; i < rayHits.getNbTouches(); i++) {
            PxRaycastHit hit = rayHits.getTouch(i);
            float fraction = Math.min(1, (float) (hit.getDistance() / length));
            if (fraction > hits.limit()) {
                continue;
            }
            Part part = part(hit.getShape());
            if (hits.wants(part.slot, part.groups, part.index, fraction)) {
                PxVec3 normal = hit.getNormal();
                float n = fraction == 0
                        ? 0
                        : 1; // a ray that begins in a body gets back its direction, which is no normal
                hits.add(
                        x + fraction * wayX,
                        y + fraction * wayY,
                        z + fraction * wayZ,
                        n * normal.getX(),
                        n * normal.getY(),
                        n * normal.getZ());
            }
        }
    }

    /** Sets the direction of a way. Returns its length, metres. */
    private double setWay(double x, double y, double z) {
        double length = Math.sqrt(x * x + y * y + z * z);
        direction.setX((float) (x / length));
        direction.setY((float) (y / length));
        direction.setZ((float) (z / length));
        return length;
    }

    private Part part(PxShape shape) {
        return parts.get(shape.getQueryFilterData().getWord0());
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits) {
        PxGeometry geometry = prepare(form, x, y, z, qx, qy, qz, qw);
        if (!scene.overlap(geometry, pose, overlaps, all)) {
            return;
        }
        for (int i = 0; i < overlaps.getNbTouches(); i++) {
            Part part = part(overlaps.getTouch(i).getShape());
            if (hits.wants(part.slot, part.groups, part.index, 0)) {
                addNearest(part, hits);
            }
        }
    }

    /** Adds the point of a shape that is nearest to the position of the form, because PhysX's overlaps have no points and normals. */
    private void addNearest(Part part, QueryHits hits) {
        PxTransform placed = PxShapeExt.getGlobalPose(part.shape, part.actor);
        boolean isOutside = PxGeometryQuery.pointDistance(at, part.geometry, placed, nearest) > 0;
        PxVec3 on = isOutside ? nearest : at;
        hits.add(on.getX(), on.getY(), on.getZ(), 0, 0, 0);
    }

    /** Sets {@link #pose} to that of a form. PhysX lays a capsule along x, so it is turned to y first. */
    private PxGeometry prepare(Form form, double x, double y, double z, float qx, float qy, float qz, float qw) {
        if (form instanceof BodyShape.Capsule) {
            float s = HALF_ROOT;
            setPose(x, y, z, s * (qx + qy), s * (qy - qx), s * (qz + qw), s * (qw - qz));
        } else {
            setPose(x, y, z, qx, qy, qz, qw);
        }
        return geometries.computeIfAbsent(form, PhysxQueries::create);
    }

    private static PxGeometry create(Form form) {
        if (form instanceof BodyShape.Box box) {
            return new PxBoxGeometry(box.halfX(), box.halfY(), box.halfZ());
        }
        if (form instanceof BodyShape.Sphere ball) {
            return new PxSphereGeometry(ball.radius());
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        return new PxCapsuleGeometry(capsule.radius(), capsule.halfHeight());
    }

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
        PxGeometry geometry = prepare(form, x, y, z, qx, qy, qz, qw);
        double length = setWay(wayX, wayY, wayZ);
        if (!scene.sweep(geometry, pose, direction, (float) length, sweepHits, told, all)) {
            return;
        }
        for (int i = 0; i < sweepHits.getNbTouches(); i++) {
            PxSweepHit hit = sweepHits.getTouch(i);
            float fraction = Math.min(1, (float) (hit.getDistance() / length));
            if (fraction > hits.limit()) {
                continue;
            }
            Part part = part(hit.getShape());
            if (!hits.wants(part.slot, part.groups, part.index, fraction)) {
                continue;
            }
            if (hit.hadInitialOverlap()) {
                addNearest(part, hits); // the hit has no point
            } else {
                PxVec3 on = hit.getPosition();
                PxVec3 normal = hit.getNormal();
                hits.add(on.getX(), on.getY(), on.getZ(), normal.getX(), normal.getY(), normal.getZ());
            }
        }
    }

    @Override
    public void close() {
        copies.forEach(copy -> scene.removeActor(copy.description.actor));
        copies.forEach(copy -> copy.description.setShown(false));
        scene.release();
        dispatcher.destroy();
        geometries.values().forEach(PxGeometry::destroy);
        geometries.clear();
        at.destroy();
        direction.destroy();
        nearest.destroy();
        rotation.destroy();
        pose.destroy();
        number.destroy();
        rayHits.destroy();
        overlaps.destroy();
        sweepHits.destroy();
        told.destroy();
        allFlags.destroy();
        all.destroy();
    }
}
