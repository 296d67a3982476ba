package example.libgdx;

import com.badlogic.gdx.graphics.Color;
import com.badlogic.gdx.graphics.GL20;
import com.badlogic.gdx.graphics.VertexAttributes.Usage;
import com.badlogic.gdx.graphics.g3d.Material;
import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.attributes.ColorAttribute;
import com.badlogic.gdx.graphics.g3d.utils.MeshPartBuilder;
import com.badlogic.gdx.graphics.g3d.utils.ModelBuilder;
import com.badlogic.gdx.graphics.g3d.utils.shapebuilders.BoxShapeBuilder;
import com.badlogic.gdx.graphics.g3d.utils.shapebuilders.CylinderShapeBuilder;
import com.badlogic.gdx.math.Matrix4;
import com.badlogic.gdx.math.Vector3;
import com.badlogic.gdx.utils.Disposable;

/** What barrels, the lift and the floor look like. Needs OpenGL. */
final class CellarModels implements Disposable {

    private static final long ATTRIBUTES = Usage.Position | Usage.Normal;
    private static final float DIAMETER = (float) (2 * Cellar.BARREL_RADIUS);
    private static final float BARREL_LENGTH = 1.4f;
    private static final int BARREL_SIDES = 24;
    private static final float LIFT_DEPTH = 2;
    private static final float FLOOR_DEPTH = 40;

    final Model barrel = barrel();
    final Model lift = box(3, 0.2f, LIFT_DEPTH, new Color(0.45f, 0.5f, 0.55f, 1));
    final Model floor = box(40, 1, FLOOR_DEPTH, new Color(0.62f, 0.6f, 0.56f, 1));

    /** It lies along z, and a board across its lid shows how it rolls. */
    private static Model barrel() {
        ModelBuilder builder = new ModelBuilder();
        builder.begin();
        MeshPartBuilder wood = builder.part("wood", GL20.GL_TRIANGLES, ATTRIBUTES, material(new Color(0xa8703cff)));
        wood.setVertexTransform(new Matrix4().setToRotation(Vector3.X, 90));
        CylinderShapeBuilder.build(wood, DIAMETER, BARREL_LENGTH, DIAMETER, BARREL_SIDES);
        MeshPartBuilder board = builder.part("board", GL20.GL_TRIANGLES, ATTRIBUTES, material(new Color(0xf0d9a8ff)));
        BoxShapeBuilder.build(board, 0, 0, BARREL_LENGTH / 2, 0.8f * DIAMETER, 0.15f * DIAMETER, 0.1f);
        return builder.end();
    }

    private static Model box(float width, float height, float depth, Color colour) {
        return new ModelBuilder().createBox(width, height, depth, material(colour), ATTRIBUTES);
    }

    private static Material material(Color colour) {
        return new Material(ColorAttribute.createDiffuse(colour));
    }

    @Override
    public void dispose() {
        barrel.dispose();
        lift.dispose();
        floor.dispose();
    }
}
