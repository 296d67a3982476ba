package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.render.FrameView;
import dev.escapement.state.world.BodyShape.Capsule;
import dev.escapement.state.world.BodyShape.Sphere;
import org.junit.jupiter.api.Test;
import physx.common.PxIDENTITYEnum;
import physx.common.PxTransform;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxPlaneGeometry;
import physx.physics.PxArticulationFlagEnum;
import physx.physics.PxArticulationLink;
import physx.physics.PxArticulationReducedCoordinate;
import physx.physics.PxFilterData;
import physx.physics.PxRigidActor;
import physx.physics.PxScene;
import physx.physics.PxShape;
import physx.physics.PxShapeFlagEnum;
import physx.support.SupportFunctions;

class PhysxQueriesTest extends ExistingWorldFixture<PxScene, PxRigidActor> implements PhysxContractsTest.Worlds {

    private final QueryHits hits = new QueryHits();

    private void show(QueryWorld queries) {
        try (FrameView view = FrameView.inline(driver.newReader())) {
            tick(3);
            view.advance(clock.nanoTime());
            queries.at(view);
        }
    }

    private double down(QueryWorld queries, double x, double y, QueryFilter filter) {
        return queries.ray(x, y, 0, 0, -100, 0, filter, hits) ? y - 100 * hits.fraction(0) : Double.NEGATIVE_INFINITY;
    }

    @Test
    void shouldHitTheQueryShapesOfAGroup() {
        PxRigidActor wall = game.addFixed(0, 5, 0, 0, 0.5, 0.5, 0, 2, 0.5, 0.5, 0, 4, 0.5, 0.5, 0, 6, 0.5, 0.5);
        PxShape[] shapes = new PxShape[4];
        for (int i = 0; i < 4; i++) {
            shapes[i] = SupportFunctions.PxActor_getShape(wall, i);
        }
        shapes[1].setQueryFilterData(new PxFilterData(1 << 31, 0, 0, 0));
        shapes[2].setQueryFilterData(new PxFilterData(0, 4, 0, 0));
        shapes[3].setFlag(PxShapeFlagEnum.eSCENE_QUERY_SHAPE, false);
        game.setSensor(game.addFixed(9, 5, 0, 0, 0.5, 0.5), true);
        try (QueryWorld queries = simulation.queryWorld(0)) {
            show(queries);
            assertThat(down(queries, 0, 20, QueryFilter.ALL)).isCloseTo(9.5, within(1e-4));
            assertThat(hits.shape(0)).isEqualTo(2);
            assertThat(down(queries, 0, 20, QueryFilter.groups(1L << 34))).isCloseTo(9.5, within(1e-4));
            assertThat(down(queries, 0, 20, QueryFilter.groups(1L << 31))).isCloseTo(7.5, within(1e-4));
            assertThat(down(queries, 0, 20, QueryFilter.groups(1))).isCloseTo(5.5, within(1e-4));
            assertThat(down(queries, 9, 20, QueryFilter.ALL)).as("a trigger").isCloseTo(5.5, within(1e-4));
        }
    }

    @Test
    void shouldAskUprightCapsulesAndSayWhereShapesAreNearest() {
        attach(game.addFixed(0, 5, 0, 0, 0.5, 0.5), 7);
        Capsule capsule = new Capsule(0.2f, 1);
        try (QueryWorld queries = simulation.queryWorld(0)) {
            show(queries);
            float root = (float) Math.sqrt(0.5);
            assertThat(queries.overlap(capsule, 0, 6.6, 0, 0, 0, 0, 1, QueryFilter.ALL, hits))
                    .isEqualTo(1);
            assertThat(hits.point(0, 1)).isCloseTo(5.5, within(1e-4));
            assertThat(queries.overlap(capsule, 0, 6.6, 0, root, 0, 0, root, QueryFilter.ALL, hits))
                    .isZero();
            assertThat(queries.overlap(capsule, 0.1, 5.2, 0, 0, 0, 0, 1, QueryFilter.ALL, hits))
                    .isEqualTo(1);
            assertThat(hits.point(0, 1)).as("in the body").isCloseTo(5.2, within(1e-4));
            Sphere ball = new Sphere(0.5f);
            assertThat(queries.sweep(ball, 0, 9, 0, 0, 0, 0, 1, 0, -6, 0, QueryFilter.ALL, hits))
                    .isTrue();
            assertThat(hits.fraction(0)).isCloseTo(0.5f, within(1e-4f));
            assertThat(hits.point(0, 1)).isCloseTo(5.5, within(1e-4));
            assertThat(hits.normal(0, 1)).isCloseTo(1, within(1e-4f));
            assertThat(queries.sweep(ball, 0, 5.8, 0, 0, 0, 0, 1, 0, -6, 0, QueryFilter.ALL, hits))
                    .isTrue();
            assertThat(hits.fraction(0)).as("begins in the body").isZero();
            assertThat(hits.point(0, 1)).isCloseTo(5.5, within(1e-4));
            assertThat(queries.ray(0, 5, 0, 0, -6, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.normal(0, 1)).as("begins in the body").isZero();
        }
    }

    @Test
    void shouldHitPlanesAndLinks() {
        PxRigidActor plane = PhysxGame.physics().createRigidStatic(new PxTransform(PxIDENTITYEnum.PxIdentity));
        PhysxGame.addShape(plane, new PxPlaneGeometry()); // faces along x
        game.world().addActor(plane);
        PxArticulationReducedCoordinate articulation = PhysxGame.physics().createArticulationReducedCoordinate();
        articulation.setArticulationFlag(PxArticulationFlagEnum.eFIX_BASE, true);
        PxArticulationLink link = articulation.createLink(null, PhysxGame.at(3, 9));
        PhysxGame.addShape(link, new PxBoxGeometry(0.5f, 0.5f, 0.5f));
        game.world().addArticulation(articulation);
        attach(link, 7);
        try (QueryWorld queries = simulation.queryWorld(0)) {
            show(queries);
            assertThat(queries.ray(2, 30, 0, -10, 0, 0, QueryFilter.ALL, hits)).isTrue();
            assertThat(hits.fraction(0)).isCloseTo(0.2f, within(1e-5f));
            assertThat(hits.normal(0, 0)).isEqualTo(1);
            assertThat(down(queries, 3, 20, QueryFilter.ALL)).isCloseTo(9.5, within(1e-4));
            assertThat(hits.userData(0)).isEqualTo(7);
        }
    }

    @Test
    void shouldReleaseEveryShape() {
        attach(game.addBox(0, 5), 1);
        PxRigidActor gone = attach(game.addBox(3, 5), 2);
        int before = PhysxGame.physics().getNbShapes();
        QueryWorld past = simulation.queryWorld(100);
        QueryWorld shown = simulation.queryWorld(0);
        QueryWorld unasked = simulation.queryWorld(0);
        show(past);
        show(shown);
        assertThat(PhysxGame.physics().getNbShapes()).isEqualTo(before + 9); // and the floor
        removeDetached(gone);
        tick(3);
        show(shown);
        assertThat(PhysxGame.physics().getNbShapes()).isEqualTo(before - 1 + 8);
        attach(game.addBox(6, 5), 3);
        tick(1);
        past.close();
        shown.close();
        unasked.close();
        assertThat(PhysxGame.physics().getNbShapes()).isEqualTo(before);
    }
}
