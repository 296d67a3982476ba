package dev.escapement.physics.dyn4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.AABB;
import org.dyn4j.geometry.Capsule;
import org.dyn4j.geometry.Circle;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;
import org.junit.jupiter.api.Test;

class Dyn4jToolsTest extends ExistingWorldToolsContract<World<Body>, Body> implements Dyn4jContractsTest.Worlds {

    @Test
    void shouldReportAllFormsWithAThickness() {
        assertThat(volume(0.001, Geometry.createRectangle(2, 1))).isCloseTo(2 * 0.2, within(1e-6));
        assertThat(volume(0.03, new Circle(0.5))).isCloseTo(Math.PI / 4 * 0.2, within(0.002));
        assertThat(volume(0.03, new Capsule(3, 1))).isCloseTo((2 + Math.PI / 4) * 0.2, within(0.01));
        assertThat(volume(0.001, Geometry.createTriangle(new Vector2(0, 0), new Vector2(3, 0), new Vector2(0, 2))))
                .isCloseTo(3 * 0.2, within(1e-6));
    }

    @Test
    void shouldPutFixturesTogetherWhereTheyAre() {
        Convex aside = Geometry.createRectangle(2, 1);
        aside.rotate(0.3);
        aside.translate(5, 1);
        assertThat(volume(0.03, aside, new Circle(0.5))).isCloseTo((2 + Math.PI / 4) * 0.2, within(0.002));
    }

    @Test
    void shouldNotDragABodyThatForcesDoNotMove() {
        Body wheel = body(Geometry.createRectangle(2, 1));
        wheel.setMass(MassType.FIXED_LINEAR_VELOCITY);
        wheel.setGravityScale(0);
        assertThat(reported(wheel).kinematic()).isFalse();
        assertStaysThoughDragged(wheel);
    }

    private double volume(double toleranceMetres, Convex... forms) {
        Body body = body(forms);
        body.setMass(MassType.NORMAL);
        BodyShape reported = reported(body);
        AABB box = body.createAABB();
        assertThat(ShapeMeasures.bounds(reported.form(), game.pose(body)))
                .containsExactly(
                        new double[] {box.getMinX(), box.getMinY(), -0.1, box.getMaxX(), box.getMaxY(), 0.1},
                        within(toleranceMetres));
        return ShapeMeasures.volume(reported.form());
    }

    private Body body(Convex... forms) {
        Body body = new Body();
        for (Convex form : forms) {
            body.addFixture(form, 1);
        }
        body.rotate(0.7);
        body.translate(3, 40);
        game.world().addBody(body);
        return body;
    }
}
