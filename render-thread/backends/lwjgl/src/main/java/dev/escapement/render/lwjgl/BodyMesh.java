package dev.escapement.render.lwjgl;

import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.snapshot.Bodies;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * A cube from -1 to 1, with the poses and shapes of all its instances, so that one call draws every body. The shader can also bend the cube
 * into a sphere, if its faces are divided.
 *
 * <p>The context's thread only. Allocates nothing per frame.
 */
final class BodyMesh implements AutoCloseable {

    private static final int FACES = 6;
    private static final int FLOATS_PER_VERTEX = 6;
    private static final int VERTICES_PER_QUAD = 6;
    private static final int POSITION_FLOATS = 3;
    private static final int ROTATION_FLOATS = 4;
    private static final int SHAPE_FLOATS = BodyShapes.Shape.FLOATS;

    private final int vertexArray = GL33C.glGenVertexArrays();
    private final int cube = GL33C.glGenBuffers();
    private final int poses = GL33C.glGenBuffers();
    private final int shapes = GL33C.glGenBuffers();
    private final int vertices;
    private final SceneView scene;
    private final BodyShapes.Shape shape = new BodyShapes.Shape();
    private float[] shapeFloats = {};
    private int bodies;

    /** Creates the mesh; each edge of the cube is divided into {@code divisions} parts. */
    BodyMesh(SceneView scene, int divisions) {
        this.scene = scene;
        float[] mesh = cubeVertices(divisions);
        vertices = mesh.length / FLOATS_PER_VERTEX;
        GL33C.glBindVertexArray(vertexArray);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, cube);
        GL33C.glBufferData(GL33C.GL_ARRAY_BUFFER, mesh, GL33C.GL_STATIC_DRAW);
        attribute(0, 3, FLOATS_PER_VERTEX, 0, 0);
        attribute(1, 3, FLOATS_PER_VERTEX, 3, 0);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, poses);
        attribute(2, POSITION_FLOATS, InstanceBuffer.FLOATS, 0, 1);
        attribute(3, ROTATION_FLOATS, InstanceBuffer.FLOATS, POSITION_FLOATS, 1);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, shapes);
        attribute(4, SHAPE_FLOATS - 1, SHAPE_FLOATS, 0, 1);
        attribute(5, 1, SHAPE_FLOATS, SHAPE_FLOATS - 1, 1);
        GL33C.glBindVertexArray(0);
    }

    private static void attribute(int index, int floats, int strideFloats, int offsetFloats, int divisor) {
        GL33C.glEnableVertexAttribArray(index);
        GL33C.glVertexAttribPointer(
                index, floats, GL33C.GL_FLOAT, false, strideFloats * Float.BYTES, (long) offsetFloats * Float.BYTES);
        GL33C.glVertexAttribDivisor(index, divisor);
    }

    /**
     * Sends the poses and the shapes of all bodies to the graphics card.
     *
     * @param floats the poses
     * @param order  maps each pose to its body
     * @param source describes the bodies
     * @param known  the bodies of the snapshot; null if there are only poses
     */
    void upload(FloatBuffer floats, InstanceBuffer order, BodyShapes source, @Nullable Bodies known) {
        bodies = floats.remaining() / InstanceBuffer.FLOATS;
        if (shapeFloats.length < bodies * SHAPE_FLOATS) {
            shapeFloats = new float[2 * bodies * SHAPE_FLOATS];
        }
        for (int body = 0; body < bodies; body++) {
            int slot = order.slot(body);
            shape.reset(scene.boxHalfExtent(), slot);
            source.describe(slot, known == null ? 0 : known.userData(slot), shape);
            shape.put(shapeFloats, body * SHAPE_FLOATS);
        }
        // Each upload takes new storage. With the old one, the driver would wait for the previous frame.
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, poses);
        GL33C.glBufferData(GL33C.GL_ARRAY_BUFFER, floats, GL33C.GL_STREAM_DRAW);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, shapes);
        GL33C.glBufferData(GL33C.GL_ARRAY_BUFFER, shapeFloats, GL33C.GL_STREAM_DRAW);
    }

    void draw() {
        GL33C.glBindVertexArray(vertexArray);
        GL33C.glDrawArraysInstanced(GL33C.GL_TRIANGLES, 0, vertices, bodies);
    }

    /** Returns position and normal of all faces' vertices, which are counterclockwise as seen from outside. */
    private static float[] cubeVertices(int divisions) {
        int[][] quad = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
        int quads = divisions * divisions;
        float[] vertices = new float[FACES * quads * VERTICES_PER_QUAD * FLOATS_PER_VERTEX];
        int at = 0;
        for (int face = 0; face < FACES; face++) {
            int axis = face % 3;
            int side = face < 3 ? 1 : -1;
            for (int part = 0; part < quads; part++) {
                for (int[] corner : quad) {
                    // On the negative side, one coordinate is mirrored, so that vertices stay counterclockwise.
                    vertices[at + axis] = side;
                    vertices[at + (axis + 1) % 3] = side * (2f * (part % divisions + corner[0]) / divisions - 1);
                    vertices[at + (axis + 2) % 3] = 2f * (part / divisions + corner[1]) / divisions - 1;
                    vertices[at + 3 + axis] = side;
                    at += FLOATS_PER_VERTEX;
                }
            }
        }
        return vertices;
    }

    @Override
    public void close() {
        GL33C.glDeleteVertexArrays(vertexArray);
        GL33C.glDeleteBuffers(cube);
        GL33C.glDeleteBuffers(poses);
        GL33C.glDeleteBuffers(shapes);
    }
}
