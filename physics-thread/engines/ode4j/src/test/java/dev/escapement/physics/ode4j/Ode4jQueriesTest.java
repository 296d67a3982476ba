package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.render.FrameView;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Capsule;
import dev.escapement.state.world.BodyShape.Form;
import dev.escapement.state.world.BodyShape.Sphere;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DHeightfieldData;
import org.ode4j.ode.DTriMeshData;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeHelper;

class Ode4jQueriesTest extends ExistingWorldFixture<DWorld, DBody> implements Ode4jContractsTest.Worlds {

    private static final double THIRD = 1 / Math.sqrt(3);
    private static final double[] POINTS = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    private static final double[] PLANES = {0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, 0, THIRD, THIRD, THIRD, THIRD};
    private static final int[] FACES = {3, 0, 2, 1, 3, 0, 1, 3, 3, 0, 3, 2, 3, 1, 2, 3};
    private static final int[] TRIANGLES = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

    private final QueryHits hits = new QueryHits();

    private Ode4jGame ode() {
        return (Ode4jGame) game;
    }

    private QueryWorld shown() {
        QueryWorld queries = simulation.queryWorld(0);
        try (FrameView view = FrameView.inline(driver.newReader())) {
            tick(3);
            view.advance(clock.nanoTime());
            queries.at(view);
        }
        return queries;
    }

    private DBody carried(DGeom geom, double x, double y) {
        ode().space().add(geom);
        DBody body = OdeHelper.createBody(game.world());
        geom.setBody(body);
        body.setKinematic();
        body.setPosition(x, y, 0);
        return body;
    }

    private static boolean overlaps(QueryWorld queries, Form form, double x, double y, QueryHits hits) {
        return queries.overlap(form, x, y, 0, 0, 0, 0, 1, QueryFilter.ALL, hits) > 0;
    }

    /** ode4j's own rays stop before slanting faces of a hull. */
    @Test
    void shouldHitHullsWhereTheyAre() {
        attach(carried(OdeHelper.createConvex(PLANES, POINTS, FACES), 0, 5), 1);
        DTriMeshData data = OdeHelper.createTriMeshData();
        data.build(new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, TRIANGLES);
        attach(carried(OdeHelper.createTriMesh(null, data), 100, 5), 2);
        SplittableRandom random = new SplittableRandom(3);
        int found = 0;
        try (QueryWorld queries = shown()) {
            for (int i = 0; i < 1000; i++) {
                double[] from = {random.nextDouble(-2, 3), random.nextDouble(6.1, 8), random.nextDouble(-2, 3)};
                double[] way = {0.3 - 1.5 * from[0], 1.5 * (5.3 - from[1]), 0.3 - 1.5 * from[2]};
                boolean isHit = queries.ray(from[0], from[1], from[2], way[0], way[1], way[2], QueryFilter.ALL, hits);
                double fraction = isHit && hits.userData(0) == 1 ? hits.fraction(0) : -1;
                isHit = queries.ray(100 + from[0], from[1], from[2], way[0], way[1], way[2], QueryFilter.ALL, hits);
                assertThat(isHit && hits.userData(0) == 2 ? hits.fraction(0) : -1)
                        .isCloseTo((float) fraction, within(1e-4f));
                found += fraction < 0 ? 0 : 1;
            }
            assertThat(found).isGreaterThan(300);
            assertThat(overlaps(queries, new Sphere(0.01f), 0.3, 5.3, hits)).isTrue();
            assertThat(hits.shape(0)).isZero();
            assertThat(overlaps(queries, new Sphere(0.01f), 0.6, 5.6, hits)).isFalse();
        }
    }

    @Test
    void shouldSayThatARayBeginsInABodyAndHitItsFarSide() {
        attach(game.addFixed(0, 5, 0, 0, 0.5, 0.5), 7);
        try (QueryWorld queries = shown()) {
            assertThat(queries.ray(0, 5, 0, 0, -10, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.fraction(0)).isCloseTo(0.05f, within(1e-4f));
            assertThat(hits.normal(0, 1)).isZero();
            assertThat(queries.ray(0, 7, 0, 0, -10, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.normal(0, 1)).isEqualTo(1);
        }
    }

    @Test
    void shouldAskUprightCapsulesAndSayWhichGeomTheyTouch() {
        attach(game.addShaped(0, 5, 0, 0, 0.5, 0.5, 3, 0, 0.5, 0.5), 7);
        try (QueryWorld queries = shown()) {
            Capsule upright = new Capsule(0.2f, 1);
            assertThat(overlaps(queries, upright, 3, 6.6, hits)).isTrue();
            assertThat(hits.shape(0)).isEqualTo(1);
            assertThat(hits.normal(0, 1)).isCloseTo(1, within(1e-3f));
            assertThat(overlaps(queries, upright, 1.5, 5, hits)).isFalse();
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> queries.sweep(upright, 3, 9, 0, 0, 0, 0, 1, 0, -9, 0, QueryFilter.ALL, hits))
                    .withMessageContaining("ODE has no sweeps");
        }
    }

    /** Of several hills on the way of a ray, the nearest counts, though ODE reports them in the order of their samples. */
    @Test
    void shouldHitTheNearestHillOfAFieldWithoutABody() {
        DHeightfieldData data = OdeHelper.createHeightfieldData();
        float[] heights = {0, 0, 4, 0, 4, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 4, 0, 4, 0, 0};
        data.build(heights, true, 12, 4, 7, 3, 1, 0, 1, false);
        OdeHelper.createHeightfield(ode().space(), data, false);
        try (QueryWorld queries = shown()) {
            assertThat(queries.ray(-7, 2, 0.5, 14, 0, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.point(0, 0)).isCloseTo(-3, within(0.01));
            assertThat(queries.ray(7, 2, 0.5, -14, 0, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.point(0, 0)).isCloseTo(3, within(0.01));
            assertThat(hits.normal(0, 1)).isPositive();
            assertThat(overlaps(queries, new Box(0.1f, 0.1f, 0.1f), 1.7, 3.5, hits))
                    .isTrue();
            assertThat(overlaps(queries, new Box(0.1f, 0.1f, 0.1f), 0, 3, hits)).isFalse();
        }
    }

    @Test
    void shouldAskForTheSpacesOfTheGround() {
        driver.close();
        Ode4jWorldSimulation other =
                new Ode4jWorldSimulation(game.world(), ode().contacts(), ode()::joinContacts, DWorld::quickStep);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.queryWorld(0))
                .withMessageContaining("call querySpaces(space)");
        other.close();
    }
}
