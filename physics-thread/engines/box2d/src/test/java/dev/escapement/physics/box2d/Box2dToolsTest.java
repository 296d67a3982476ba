package dev.escapement.physics.box2d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.ChainShape;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.EdgeShape;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import org.junit.jupiter.api.Test;

class Box2dToolsTest extends ExistingWorldToolsContract<World, Body> implements Box2dContractsTest.Worlds {

    @Test
    void shouldReportAllFormsWithAThickness() {
        PolygonShape triangle = new PolygonShape();
        triangle.set(new float[] {0, 0, 3, 0, 0, 2});
        assertThat(ShapeMeasures.volume(form(triangle))).isCloseTo(3 * 0.2, within(1e-5));
        assertThat(ShapeMeasures.volume(form(circle(1, 2, 0.5f)))).isCloseTo(Math.PI / 4 * 0.2, within(0.002));
        assertThat(bounds(form(circle(1, 2, 0.5f))))
                .containsExactly(new double[] {0.5, 1.5, -0.1, 1.5, 2.5, 0.1}, within(1e-6));
        EdgeShape edge = new EdgeShape();
        edge.set(-1, 0, 3, 1);
        assertThat(bounds(form(edge))).containsExactly(new double[] {-1, 0, -0.1, 3, 1, 0.1}, within(1e-6));
        ChainShape chain = new ChainShape();
        chain.createLoop(new float[] {0, 0, 3, 0, 3, 2, 1, 1});
        assertThat(bounds(form(chain))).containsExactly(new double[] {0, 0, -0.1, 3, 2, 0.1}, within(1e-6));
    }

    @Test
    void shouldPutFixturesTogetherWhereTheyAre() {
        PolygonShape aside = new PolygonShape();
        aside.setAsBox(1, 0.5f, new Vector2(5, 1), 0.3f);
        assertThat(ShapeMeasures.volume(form(aside, circle(0, 0, 0.5f))))
                .isCloseTo((2 + Math.PI / 4) * 0.2, within(0.002));
    }

    /** Its list of fixtures does not say whether it is in the world. */
    @Test
    void shouldShowABodyWithoutFixturesWhichHasNoShape() {
        Body bare = ((Box2dGame) game).add(3, 40, BodyType.DynamicBody);
        simulation.attach(bare, 1);
        tick(1);
        assertThat(simulation.shape(simulation.idOf(bare))).isNull();
        assertThat(simulation.idOf(bare)).isNotZero();
        game.remove(bare);
        assertThatIllegalStateException().isThrownBy(() -> tick(1)).withMessageContaining("was removed from");
    }

    private static CircleShape circle(float x, float y, float radius) {
        CircleShape circle = new CircleShape();
        circle.setRadius(radius);
        circle.setPosition(new Vector2(x, y));
        return circle;
    }

    private BodyShape.Form form(Shape... forms) {
        return reported(((Box2dGame) game).add(3, 40, BodyType.DynamicBody, forms))
                .form();
    }

    private static double[] bounds(BodyShape.Form form) {
        return ShapeMeasures.bounds(form, 0, 0, 0, 0, 0, 0, 1);
    }
}
