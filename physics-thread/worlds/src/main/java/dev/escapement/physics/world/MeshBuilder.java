package dev.escapement.physics.world;

import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Builds a {@link TriangleMesh} of convex parts and single triangles, for engines whose shapes have no triangles.
 *
 * <pre>{@code
 * TriangleMesh cylinder = new MeshBuilder().add((x, y, z, corner) -> {
 *     double scale = radius / Math.hypot(x, y);
 *     corner[0] = scale * x;
 *     corner[1] = scale * y;
 *     corner[2] = Math.copySign(halfHeight, z);
 * }).build();
 * }</pre>
 *
 * <p>Coordinates are rounded to micrometres, so that bodies of the same form get equal meshes wherever they are. Convex forms become
 * triangles when the mesh is first read, by the thread that reads it, because the physics thread builds the meshes of a query. One thread
 * builds.
 */
public final class MeshBuilder {

    /** The number of directions around z; a multiple of four, so that the extents along x and y are exact. */
    private static final int COLUMNS = 32;

    /** The number of rows of directions from a pole to the equator. */
    private static final int ROWS = 8;

    /**
     * Replaces 0 in directions. Exactly along an axis, all points of a face can be the farthest; with a slight tilt only one of them is.
     */
    private static final double LITTLE = 1e-9;

    private static final double PER_METRE = 1e6;

    private float[] corners = new float[9 * 64];
    private int size;

    /** The parts whose triangles are computed when the mesh is read. */
    private final List<Consumer<MeshBuilder>> later = new ArrayList<>();

    private int parts;

    /** How many more parts, corners and single triangles the query may read. */
    int left = Integer.MAX_VALUE;

    /** Whether parts are missing, which the next query adds. */
    boolean isPartial;

    /** A convex form. */
    @FunctionalInterface
    public interface Form {

        /**
         * Finds the farthest point of the form in a direction.
         *
         * @param x      the direction, of length 1; never exactly along an axis
         * @param y      the direction
         * @param z      the direction
         * @param corner takes x, y, z of the point
         */
        void farthest(double x, double y, double z, double[] corner);
    }

    /**
     * {@return the convex hull of points}
     *
     * @param points x, y, z of each point
     */
    public static Form hull(double... points) {
        return (x, y, z, corner) -> {
            double farthest = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < points.length; i += 3) {
                double distance = x * points[i] + y * points[i + 1] + z * points[i + 2];
                if (distance > farthest) {
                    farthest = distance;
                    System.arraycopy(points, i, corner, 0, 3);
                }
            }
        };
    }

    /** Creates a mesh without triangles. */
    public MeshBuilder() {}

    /**
     * {@return whether to add {@link #part()} now} False after the last part, and if physics has waited long enough: then the next query
     * continues with this mesh.
     *
     * @param count the number of parts that the shape has
     */
    public boolean next(int count) {
        isPartial = parts < count && left <= 0;
        boolean isNext = parts < count && !isPartial;
        parts += isNext ? 1 : 0;
        left--;
        return isNext;
    }

    /** {@return the index of the part to add, after {@link #next} returned true} */
    public int part() {
        return parts - 1;
    }

    /**
     * Adds a prism along z.
     *
     * @param halfThickness half of its length along z, metres
     * @param outline       x and y of the corners of a convex polygon, counterclockwise, or of both ends of a line: n corners become 4n - 4
     *                      triangles
     * @return this
     */
    public MeshBuilder addPrism(double halfThickness, double... outline) {
        int count = outline.length / 2;
        left -= count;
        double[][] low = new double[count][];
        double[][] high = new double[count][];
        for (int i = 0; i < count; i++) {
            low[i] = new double[] {outline[2 * i], outline[2 * i + 1], -halfThickness};
            high[i] = new double[] {outline[2 * i], outline[2 * i + 1], halfThickness};
        }
        for (int i = 0; i < count; i++) {
            int next = (i + 1) % count;
            triangle(low[i], low[next], high[next]);
            triangle(low[i], high[next], high[i]);
            triangle(high[0], high[i], high[next]);
            triangle(low[0], low[next], low[i]);
        }
        return this;
    }

    /**
     * Adds a prism along z with {@value #COLUMNS} sides.
     *
     * @param halfThickness half of its length along z, metres
     * @param outline       finds x and y of the farthest point of its outline, for directions whose z is 0
     * @return this
     */
    public MeshBuilder addRoundPrism(double halfThickness, Form outline) {
        double[] corners2d = new double[2 * COLUMNS];
        double[] corner = new double[3];
        for (int column = 0; column < COLUMNS; column++) {
            double longitude = 2 * Math.PI * column / COLUMNS + LITTLE;
            outline.farthest(Math.cos(longitude), Math.sin(longitude), 0, corner);
            System.arraycopy(corner, 0, corners2d, 2 * column, 2);
        }
        return addPrism(halfThickness, corners2d);
    }

    /**
     * Adds a part whose triangles are computed when the mesh is read.
     *
     * @param part adds triangles to the mesh that it gets; must read nothing that the physics thread may change or free
     * @return this
     */
    public MeshBuilder addLater(Consumer<MeshBuilder> part) {
        later.add(part);
        return this;
    }

    /**
     * Adds a convex form, as its farthest points in some hundred directions: round forms have {@value #COLUMNS} sides, and corners that
     * are blunter than about 160 degrees may be cut off.
     *
     * @param form the form; must read nothing that the physics thread may change or free, because the directions are tried when the mesh is
     *             read
     * @return this
     */
    public MeshBuilder add(Form form) {
        return addLater(mesh -> mesh.sample(form));
    }

    private void sample(Form form) {
        double[][] row = points(form, 0);
        for (int below = 1; below <= 2 * ROWS + 1; below++) {
            double[][] next = points(form, below);
            for (int column = 0; column < COLUMNS; column++) {
                int right = (column + 1) % COLUMNS;
                triangle(row[column], next[column], next[right]);
                triangle(row[column], next[right], row[right]);
            }
            row = next;
        }
    }

    /** Returns the farthest points in a row of directions. Row 0 is the pole at +z; the equator has two rows, one for each half. */
    private static double[][] points(Form form, int row) {
        boolean upper = row <= ROWS;
        double latitude = Math.PI / 2 * (upper ? ROWS - row : row - ROWS - 1) / ROWS;
        double z = Math.copySign(Math.max(LITTLE, Math.sin(latitude)), upper ? 1 : -1);
        double out = Math.max(LITTLE, Math.cos(latitude));
        double[][] points = new double[COLUMNS][3];
        for (int column = 0; column < COLUMNS; column++) {
            double longitude = 2 * Math.PI * (row % (2 * ROWS + 1) == 0 ? 0 : column) / COLUMNS + LITTLE;
            form.farthest(out * Math.cos(longitude), out * Math.sin(longitude), z, points[column]);
        }
        return points;
    }

    /**
     * Adds a triangle, unless two of its corners are the same.
     *
     * @param a x, y, z of a corner
     * @param b the next corner, counterclockwise seen from outside
     * @param c the third corner
     * @return this
     */
    public MeshBuilder add(double[] a, double[] b, double[] c) {
        left--;
        triangle(a, b, c);
        return this;
    }

    private void triangle(double[] a, double[] b, double[] c) {
        if (size + 9 > corners.length) {
            corners = Arrays.copyOf(corners, 2 * corners.length);
        }
        put(a, size);
        put(b, size + 3);
        put(c, size + 6);
        if (differ(size, size + 3) && differ(size + 3, size + 6) && differ(size + 6, size)) {
            size += 9;
        }
    }

    private void put(double[] corner, int at) {
        for (int i = 0; i < 3; i++) {
            corners[at + i] = (float) (Math.rint(PER_METRE * corner[i]) / PER_METRE) + 0f; // avoids -0
        }
    }

    private boolean differ(int corner, int other) {
        return !Arrays.equals(corners, corner, corner + 3, corners, other, other + 3);
    }

    /** {@return whether nothing was added yet} */
    public boolean isEmpty() {
        return size == 0 && later.isEmpty();
    }

    /** {@return the mesh of all that was added} Call it once, at the end. */
    public TriangleMesh build() {
        boolean isKnown = later.isEmpty() && !isPartial; // a query must not copy all parts again for each portion
        return isKnown ? new TriangleMesh(Arrays.copyOf(corners, size)) : new TriangleMesh(this::read);
    }

    private float[] read() {
        later.forEach(part -> part.accept(this));
        return Arrays.copyOf(corners, size);
    }
}
