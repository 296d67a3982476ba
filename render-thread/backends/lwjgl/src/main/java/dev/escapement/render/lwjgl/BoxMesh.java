package dev.escapement.render.lwjgl;

import dev.escapement.render.interpolation.InstanceFormat;
import java.nio.FloatBuffer;
import org.lwjgl.opengl.GL33C;

/**
 * A cube from -1 to 1, and the poses of all its instances, so that one call draws every body.
 *
 * <p>The context's thread only. Allocates nothing per frame.
 */
final class BoxMesh implements AutoCloseable {

    private static final int FACES = 6;
    private static final int FLOATS_PER_VERTEX = 6;
    private static final int VERTICES = FACES * 6;
    private static final int POSITION_FLOATS = 3;
    private static final int ROTATION_FLOATS = 4;

    private final int vertexArray = GL33C.glGenVertexArrays();
    private final int cube = GL33C.glGenBuffers();
    private final int poses = GL33C.glGenBuffers();
    private int bodies;

    BoxMesh() {
        GL33C.glBindVertexArray(vertexArray);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, cube);
        GL33C.glBufferData(GL33C.GL_ARRAY_BUFFER, cubeVertices(), GL33C.GL_STATIC_DRAW);
        attribute(0, 3, FLOATS_PER_VERTEX, 0, 0);
        attribute(1, 3, FLOATS_PER_VERTEX, 3, 0);
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, poses);
        attribute(2, POSITION_FLOATS, InstanceFormat.POSE.floats(), 0, 1);
        attribute(3, ROTATION_FLOATS, InstanceFormat.POSE.floats(), POSITION_FLOATS, 1);
        GL33C.glBindVertexArray(0);
    }

    private static void attribute(int index, int floats, int strideFloats, int offsetFloats, int divisor) {
        GL33C.glEnableVertexAttribArray(index);
        GL33C.glVertexAttribPointer(
                index, floats, GL33C.GL_FLOAT, false, strideFloats * Float.BYTES, (long) offsetFloats * Float.BYTES);
        GL33C.glVertexAttribDivisor(index, divisor);
    }

    /** Sends the poses to the graphics card. */
    void upload(FloatBuffer floats) {
        bodies = floats.remaining() / InstanceFormat.POSE.floats();
        GL33C.glBindBuffer(GL33C.GL_ARRAY_BUFFER, poses);
        // A new store each time: the driver need not wait for the frame before, which may still read the old one.
        GL33C.glBufferData(GL33C.GL_ARRAY_BUFFER, floats, GL33C.GL_STREAM_DRAW);
    }

    int bodies() {
        return bodies;
    }

    /** Draws all bodies with the program in use. */
    void draw() {
        if (bodies > 0) {
            GL33C.glBindVertexArray(vertexArray);
            GL33C.glDrawArraysInstanced(GL33C.GL_TRIANGLES, 0, VERTICES, bodies);
        }
    }

    /** Corner and normal of 36 vertices, counterclockwise as seen from outside. */
    private static float[] cubeVertices() {
        int[][] quad = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
        float[] vertices = new float[VERTICES * FLOATS_PER_VERTEX];
        int at = 0;
        for (int face = 0; face < FACES; face++) {
            int axis = face % 3;
            int side = face < 3 ? 1 : -1;
            for (int[] corner : quad) {
                // Mirroring one coordinate with the side keeps the winding the same on opposite faces.
                vertices[at + axis] = side;
                vertices[at + (axis + 1) % 3] = corner[0] * side;
                vertices[at + (axis + 2) % 3] = corner[1];
                vertices[at + 3 + axis] = side;
                at += FLOATS_PER_VERTEX;
            }
        }
        return vertices;
    }

    @Override
    public void close() {
        GL33C.glDeleteVertexArrays(vertexArray);
        GL33C.glDeleteBuffers(cube);
        GL33C.glDeleteBuffers(poses);
    }
}
