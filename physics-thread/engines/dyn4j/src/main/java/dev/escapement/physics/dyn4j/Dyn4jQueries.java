package dev.escapement.physics.dyn4j;

import dev.escapement.physics.dyn4j.Dyn4jQueryBodies.Described;
import dev.escapement.physics.dyn4j.Dyn4jQueryBodies.Shaped;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.dyn4j.collision.broadphase.AABBProducer;
import org.dyn4j.collision.broadphase.BroadphaseDetector;
import org.dyn4j.collision.broadphase.DynamicAABBTree;
import org.dyn4j.collision.broadphase.StaticValueAABBExpansionMethod;
import org.dyn4j.collision.continuous.ConservativeAdvancement;
import org.dyn4j.collision.continuous.TimeOfImpact;
import org.dyn4j.collision.manifold.ClippingManifoldSolver;
import org.dyn4j.collision.manifold.Manifold;
import org.dyn4j.collision.narrowphase.Gjk;
import org.dyn4j.collision.narrowphase.Penetration;
import org.dyn4j.collision.narrowphase.Raycast;
import org.dyn4j.geometry.AABB;
import org.dyn4j.geometry.Capsule;
import org.dyn4j.geometry.Circle;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Ray;
import org.dyn4j.geometry.Rectangle;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;

/**
 * dyn4j's queries, by the detectors that its worlds use unless a game sets others. A ray does not hit a shape in which it begins, and a
 * sweep does not hit one that it overlaps at its start.
 *
 * <p>The detectors are called without a world, because {@code World.detect} of a shape also returns fixtures whose bounds alone overlap.
 *
 * <p>One thread at a time. Detectors allocate in each query: 1 to 2 KB in a ray, 10 KB in an overlap and 35 KB in a sweep among hundreds of
 * bodies.
 */
final class Dyn4jQueries implements QueryEngine<Described, Dyn4jQueries.Part[]> {

    /** A fixture of a copy. The fixtures of a body share its transform. */
    static final class Part {

        final Convex shape;
        final Transform transform;
        final int slot;
        final int index;
        final long groups;

        Part(Shaped fixture, Transform transform, int slot, int index) {
            shape = fixture.shape();
            groups = fixture.groups();
            this.transform = transform;
            this.slot = slot;
            this.index = index;
        }
    }

    /** By how much the bounds of a fixture exceed it, so that few movements change the tree; as in dyn4j's worlds, metres. */
    private static final double MARGIN_METRES = 0.2;

    private final BroadphaseDetector<Part> broadphase = new DynamicAABBTree<>(
            (one, other) -> true,
            new AABBProducer<>() {
                @Override
                public AABB compute(Part part) {
                    return part.shape.createAABB(part.transform);
                }

                @Override
                public void compute(Part part, AABB result) {
                    part.shape.computeAABB(part.transform, result);
                }
            },
            new StaticValueAABBExpansionMethod<>(MARGIN_METRES));
    private final Gjk gjk = new Gjk();
    private final ConservativeAdvancement advancement = new ConservativeAdvancement();
    private final ClippingManifoldSolver solver = new ClippingManifoldSolver();
    private final Map<Form, Convex> shapes = new HashMap<>();

    // Scratch objects, because new ones for each call would be garbage.
    private final Vector2 start = new Vector2();
    private final Vector2 way = new Vector2();
    private final Vector2 still = new Vector2();
    private final Ray ray = new Ray(start, new Vector2(1, 0));
    private final Transform placed = new Transform();
    private final AABB bounds = new AABB(0);
    private final AABB endBounds = new AABB(0);
    private final Raycast raycast = new Raycast();
    private final Penetration penetration = new Penetration();
    private final Manifold manifold = new Manifold();
    private final TimeOfImpact impact = new TimeOfImpact();

    Dyn4jQueries() {
        broadphase.setUpdateTrackingEnabled(false); // it would keep each part that has moved
    }

    @Override
    public Part[] add(Described body, int slot) {
        List<Shaped> fixtures = body.fixtures();
        Transform transform = body.transform().copy(); // the description may be added again
        Part[] parts = new Part[fixtures.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(fixtures.get(i), transform, slot, i);
            broadphase.add(parts[i]);
        }
        return parts;
    }

    @Override
    public void remove(Part[] copy) {
        for (Part part : copy) {
            broadphase.remove(part);
        }
    }

    @Override
    public void move(Part[] copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        for (int i = 0; i < copy.length; i++) {
            if (i == 0) {
                place(copy[i].transform, x, y, qz, qw);
            }
            broadphase.update(copy[i]);
        }
    }

    private static void place(Transform transform, double x, double y, float qz, float qw) {
        transform.setRotation(2 * Math.atan2(qz, qw));
        transform.setTranslation(x, y);
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits) {
        double length = length(wayX, wayY);
        start.set(x, y);
        ray.getDirectionVector().set(wayX / length, wayY / length);
        Iterator<Part> near = broadphase.raycastIterator(ray, length);
        while (near.hasNext()) {
            Part part = near.next();
            if (gjk.raycast(ray, length * hits.limit(), part.shape, part.transform, raycast)
                    && hits.wants(part.slot, part.groups, part.index, (float) (raycast.getDistance() / length))) {
                add(hits, raycast.getPoint(), raycast.getNormal(), 1);
            }
        }
    }

    private static double length(double wayX, double wayY) {
        double length = Math.sqrt(wayX * wayX + wayY * wayY);
        if (length == 0) {
            throw new IllegalArgumentException("in two dimensions a query needs a way along x or y, but goes along ("
                    + wayX + ", " + wayY + "); pass a way in the plane");
        }
        return length;
    }

    private static void add(QueryHits hits, Vector2 point, Vector2 normal, int sign) {
        hits.add(point.x, point.y, 0, (float) (sign * normal.x), (float) (sign * normal.y), 0);
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits) {
        Convex shape = shapes.computeIfAbsent(form, Dyn4jQueries::shape);
        place(placed, x, y, qz, qw);
        shape.computeAABB(placed, bounds);
        Iterator<Part> near = broadphase.detectIterator(bounds);
        while (near.hasNext()) {
            Part part = near.next();
            if (gjk.detect(part.shape, part.transform, shape, placed, penetration)
                    && hits.wants(part.slot, part.groups, part.index, 0)) {
                Vector2 normal = penetration.getNormal(); // points from the body to the form
                manifold.clear();
                boolean isTouching =
                        solver.getManifold(penetration, part.shape, part.transform, shape, placed, manifold)
                                && !manifold.getPoints().isEmpty();
                add(hits, isTouching ? manifold.getPoints().get(0).getPoint() : placed.getTranslation(), normal, 1);
            }
        }
    }

    private static Convex shape(Form form) {
        if (form instanceof BodyShape.Box box) {
            return new Rectangle(2 * box.halfX(), 2 * box.halfY());
        }
        if (form instanceof BodyShape.Sphere ball) {
            return new Circle(ball.radius());
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        double width = 2 * capsule.radius();
        return new Capsule(width, width + 2 * capsule.halfHeight());
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
        Convex shape = shapes.computeIfAbsent(form, Dyn4jQueries::shape);
        length(wayX, wayY);
        way.set(wayX, wayY);
        place(placed, x + wayX, y + wayY, qz, qw);
        shape.computeAABB(placed, endBounds);
        place(placed, x, y, qz, qw);
        shape.computeAABB(placed, bounds);
        Iterator<Part> near = broadphase.detectIterator(bounds.union(endBounds));
        while (near.hasNext()) {
            Part part = near.next();
            if (advancement.getTimeOfImpact(
                            shape, placed, way, 0, part.shape, part.transform, still, 0, 0, hits.limit(), impact)
                    && hits.wants(part.slot, part.groups, part.index, (float) impact.getTime())) {
                // The normal points from the form to the body.
                add(
                        hits,
                        impact.getSeparation().getPoint2(),
                        impact.getSeparation().getNormal(),
                        -1);
            }
        }
    }

    @Override
    public void close() {
        broadphase.clear();
        shapes.clear();
    }
}
