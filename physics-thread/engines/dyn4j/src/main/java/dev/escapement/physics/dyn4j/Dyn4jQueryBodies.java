package dev.escapement.physics.dyn4j;

import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.dynamics.BodyFixture;
import org.dyn4j.dynamics.PhysicsBody;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Transform;
import org.dyn4j.world.World;

/**
 * Describes dyn4j's bodies to query worlds. Shapes are shared: dyn4j changes a shape only when the game moves it within its body, and
 * shapes compute nothing that they keep.
 */
final class Dyn4jQueryBodies<B extends PhysicsBody> implements QueryBodies<B, Dyn4jQueryBodies.Described> {

    /** A body. Contains nothing that its world may change. A disabled body has no fixtures. */
    record Described(Transform transform, List<Shaped> fixtures) {}

    /** A fixture, whether solid or a sensor. */
    record Shaped(Convex shape, long groups) {}

    private static final long ALL_GROUPS = -1L;

    private final World<B> world;

    Dyn4jQueryBodies(World<B> world) {
        this.world = world;
    }

    @Override
    public Described describe(B body) {
        Transform at = body.getTransform().copy();
        List<Shaped> fixtures = new ArrayList<>();
        for (int i = 0; body.isEnabled() && i < body.getFixtureCount(); i++) {
            BodyFixture fixture = body.getFixture(i);
            long groups = fixture.getFilter() instanceof CategoryFilter filter ? filter.getCategory() : ALL_GROUPS;
            fixtures.add(new Shaped(fixture.getShape(), groups));
        }
        return new Described(at, fixtures);
    }

    /** Describes the bodies of infinite mass that have no velocity: dyn4j does not distinguish static bodies. */
    @Override
    public int describeFixed(Predicate<B> attached, BiConsumer<Object, Described> fixed) {
        int unseen = 0;
        for (B body : world.getBodies()) {
            if (!attached.test(body)) {
                if (body.isStatic()) {
                    fixed.accept(body, describe(body));
                } else {
                    unseen++;
                }
            }
        }
        return unseen;
    }

    @Override
    public QueryEngine<Described, ?> open() {
        return new Dyn4jQueries();
    }
}
