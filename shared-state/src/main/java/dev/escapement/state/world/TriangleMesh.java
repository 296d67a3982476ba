package dev.escapement.state.world;

import java.util.Arrays;

/**
 * Any other geometry, as triangles: hulls, meshes, compounds.
 *
 * <p>Immutable; any thread may use it.
 *
 * @see BodyShape
 */
public final class TriangleMesh implements BodyShape.Form {

    private static final int FLOATS_PER_TRIANGLE = 9;

    private final float[] corners;

    /**
     * Creates a mesh.
     *
     * @param corners x, y, z of the three corners of each triangle, counterclockwise seen from outside, metres; copied
     * @throws IllegalArgumentException if these are no whole triangles
     */
    public TriangleMesh(float[] corners) {
        if (corners.length % FLOATS_PER_TRIANGLE != 0) {
            throw new IllegalArgumentException("a triangle has " + FLOATS_PER_TRIANGLE + " coordinates, but "
                    + corners.length + " were given; pass x, y, z of three corners for each");
        }
        this.corners = corners.clone();
    }

    /** {@return a copy of the corners of the triangles, see the constructor} */
    public float[] corners() {
        return corners.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TriangleMesh mesh && Arrays.equals(corners, mesh.corners);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(corners);
    }

    @Override
    public String toString() {
        return "TriangleMesh[" + corners.length / FLOATS_PER_TRIANGLE + " triangles]";
    }
}
