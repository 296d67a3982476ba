package dev.escapement.state.world;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a body, in the body's axes.
 *
 * <pre>{@code
 * new BodyShape(new BodyShape.Box(0.5f, 0.5f, 0.5f), false)   // a cube of 1 m that forces move
 * }</pre>
 *
 * <p>Immutable; any thread may use it. Tools draw equal shapes with one instanced mesh.
 *
 * @param form      the geometry
 * @param kinematic whether the game moves the body, and forces do not
 */
public record BodyShape(Form form, boolean kinematic) {

    /** The geometry of a body, metres from the body's position. */
    public sealed interface Form permits Box, Sphere, Capsule, TriangleMesh {}

    /**
     * A box.
     *
     * @param halfX half of its length along x, metres
     * @param halfY half of its length along y, metres
     * @param halfZ half of its length along z, metres
     */
    public record Box(float halfX, float halfY, float halfZ) implements Form {}

    /**
     * A ball.
     *
     * @param radius metres
     */
    public record Sphere(float radius) implements Form {}

    /**
     * A cylinder along y with a half ball at each end.
     *
     * @param radius     metres
     * @param halfHeight half of the height of the cylinder, without the half balls, metres
     */
    public record Capsule(float radius, float halfHeight) implements Form {}

    /** Triangles, for any other geometry: hulls, meshes, compounds. */
    public static final class TriangleMesh implements Form {

        private static final int FLOATS_PER_TRIANGLE = 9;

        private float[] corners = {};

        /** Computes the corners; null once they are known. Guarded by this object, as are the corners. */
        private @Nullable Supplier<float[]> source;

        /**
         * Creates a mesh.
         *
         * @param corners x, y, z of the three corners of each triangle, counterclockwise seen from outside, metres; copied
         * @throws IllegalArgumentException if the number of coordinates is no multiple of nine
         */
        public TriangleMesh(float[] corners) {
            this.corners = requireTriangles(corners).clone();
        }

        /**
         * Creates a mesh whose corners are computed when they are first read, by the thread that reads them, so that the physics thread
         * need not wait for them.
         *
         * @param source returns the corners, see the other constructor; must read nothing that the physics thread may change or free
         */
        public TriangleMesh(Supplier<float[]> source) {
            this.source = Objects.requireNonNull(source, "source must not be null; pass what computes the corners");
        }

        private static float[] requireTriangles(float[] corners) {
            if (corners.length % FLOATS_PER_TRIANGLE != 0) {
                throw new IllegalArgumentException("a triangle has " + FLOATS_PER_TRIANGLE + " coordinates, but "
                        + corners.length + " were given; pass x, y, z of three corners for each");
            }
            return corners;
        }

        private synchronized float[] read() {
            if (source != null) {
                corners = requireTriangles(source.get());
                source = null;
            }
            return corners;
        }

        /** {@return whether the corners are known, so that no reader computes them} */
        public boolean isComputed() {
            synchronized (this) {
                return source == null;
            }
        }

        /** {@return a copy of the corners of the triangles, see the constructors} */
        public float[] corners() {
            return read().clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof TriangleMesh mesh && Arrays.equals(read(), mesh.read());
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(read());
        }

        @Override
        public String toString() {
            return "TriangleMesh[" + read().length / FLOATS_PER_TRIANGLE + " triangles]";
        }
    }

    /**
     * Creates a shape.
     *
     * @param form      the geometry
     * @param kinematic whether the game moves the body, and forces do not
     */
    public BodyShape {
        Objects.requireNonNull(form, "form must not be null; for a shape that is not known pass no BodyShape");
    }
}
