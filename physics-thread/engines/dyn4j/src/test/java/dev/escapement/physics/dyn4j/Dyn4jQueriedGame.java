package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.collision.narrowphase.Sat;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.BodyFixture;
import org.dyn4j.dynamics.ContinuousDetectionMode;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Ray;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.DetectFilter;
import org.dyn4j.world.World;
import org.dyn4j.world.result.ConvexCastResult;
import org.dyn4j.world.result.DetectResult;
import org.dyn4j.world.result.RaycastResult;

/** The answers of a world of dyn4j. Overlaps are found by another of its algorithms than those of queries. */
final class Dyn4jQueriedGame extends Dyn4jGame implements QueriedGame<World<Body>, Body> {

    /** The number of bodies that touch each other. Further ones touch the ground, because a step of a crowd would take half a second. */
    private static final int TOUCHING = 100;

    private final DetectFilter<Body, BodyFixture> all = new DetectFilter<>(false, false, null);
    private final Sat sat = new Sat();

    Dyn4jQueriedGame() {
        world().getSettings().setContinuousDetectionMode(ContinuousDetectionMode.NONE); // takes most of a crowd's step
    }

    @Override
    public boolean isFlat() {
        return true;
    }

    private static List<Convex> shapes(Kind kind) {
        return switch (kind) {
            case BOX -> List.of(Geometry.createRectangle(1, 1));
            case BALL -> List.of(Geometry.createCircle(0.4));
            case HULL ->
                List.of(Geometry.createPolygon(
                        new Vector2(-0.5, -0.5), new Vector2(1, 0), new Vector2(0.6, 0.9), new Vector2(-0.7, 0.2)));
            case COMPOUND -> {
                Convex box = Geometry.createRectangle(1.2, 0.4);
                box.rotate(0.3);
                box.translate(1, 0);
                Convex ball = Geometry.createCircle(0.5);
                ball.translate(0, 0.3);
                yield List.of(box, ball, Geometry.createCapsule(0.5, 2));
            }
            case MESH ->
                new ArrayList<>(Geometry.createLinks(
                        new Vector2[] {new Vector2(-2, 0), new Vector2(0, -0.5), new Vector2(2, 0), new Vector2(0, 3)},
                        true));
        };
    }

    private static Transform placed(double[] pose) {
        Transform placed = new Transform();
        placed.setRotation(2 * Math.atan2(pose[5], pose[6]));
        placed.setTranslation(pose[0], pose[1]);
        return placed;
    }

    private void addFixtures(Body body, Kind kind) {
        CategoryFilter filter = new CategoryFilter(2, world().getBodyCount() < TOUCHING ? -1 : 1);
        shapes(kind).forEach(shape -> body.addFixture(shape, 1, 0.6, 0).setFilter(filter));
    }

    @Override
    public Body addForm(Kind kind, double[] pose) {
        Body body = new Body();
        addFixtures(body, kind);
        body.setMass(kind == Kind.MESH ? MassType.INFINITE : MassType.NORMAL);
        body.setTransform(placed(pose));
        world().addBody(body);
        return body;
    }

    @Override
    public boolean reform(Body body, Kind kind) {
        body.removeAllFixtures();
        addFixtures(body, kind);
        body.setMass(MassType.NORMAL);
        return true;
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        Ray ray = new Ray(new Vector2(from[0], from[1]), new Vector2(way[0], way[1]));
        double length = Math.hypot(way[0], way[1]);
        Hit nearest = Hit.NONE;
        Iterator<RaycastResult<Body, BodyFixture>> hits = world().raycastIterator(ray, length, all);
        while (hits.hasNext()) { // raycastClosest forgets a hit at distance 0 when it finds another
            RaycastResult<Body, BodyFixture> hit = hits.next();
            if (hit.getRaycast().getDistance() / length < nearest.fraction()) {
                nearest = new Hit(hit.getBody(), hit.getRaycast().getDistance() / length);
            }
        }
        return nearest;
    }

    private static Convex shape(Form form) {
        Box box = (Box) form;
        return Geometry.createRectangle(2 * box.halfX(), 2 * box.halfY());
    }

    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        Convex shape = shape(form);
        Transform placed = placed(pose);
        Set<Object> found = new HashSet<>();
        Iterator<DetectResult<Body, BodyFixture>> near = world().detectIterator(shape.createAABB(placed), all);
        while (near.hasNext()) {
            DetectResult<Body, BodyFixture> one = near.next();
            if (sat.detect(one.getFixture().getShape(), one.getBody().getTransform(), shape, placed)) {
                found.add(one.getBody());
            }
        }
        return found;
    }

    @Override
    public Hit sweep(Form form, double[] pose, double[] way) {
        Vector2 delta = new Vector2(way[0], way[1]);
        ConvexCastResult<Body, BodyFixture> hit = world().convexCastClosest(shape(form), placed(pose), delta, 0, all);
        return hit == null
                ? Hit.NONE
                : new Hit(hit.getBody(), hit.getTimeOfImpact().getTime());
    }
}
