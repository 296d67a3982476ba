package dev.escapement.physics.query;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answers to a query, the nearest first. Reuse the object: it grows when a query has more answers than any before, and allocates
 * nothing else.
 *
 * <pre>{@code
 * QueryHits hits = new QueryHits();
 * if (queries.ray(eyeX, eyeY, eyeZ, wayX, wayY, wayZ, QueryFilter.ALL, hits)) {
 *     select(hits.bodyId(0), hits.userData(0));
 * }
 * }</pre>
 *
 * <p>Not thread-safe. Answers are valid until the next query with this object.
 */
public final class QueryHits {

    private static final int POINT = 3;

    private long[] bodyIds = new long[4];
    private long[] userData = new long[4];
    private int[] shapes = new int[4];
    private float[] fractions = new float[4];
    private double[] points = new double[POINT * 4];
    private float[] normals = new float[POINT * 4];
    private int count;

    // The query in progress.
    private boolean firstOnly;
    private QueryFilter filter = QueryFilter.ALL;
    private @Nullable QueryWorld world;

    /** The exception of the predicate. Not thrown where it happens, because native code may be between the query and the predicate. */
    private @Nullable Throwable failure;

    // The hit that was wanted last.
    private long wantedId;
    private long wantedUserData;
    private int wantedShape;
    private float wantedFraction;

    /** Creates an empty object. */
    public QueryHits() {}

    /** {@return the number of answers} */
    public int count() {
        return count;
    }

    /**
     * {@return the {@link dev.escapement.state.snapshot.BodyId} of a hit body; 0 for a static body that is not attached}
     *
     * @param index 0 to {@code count() - 1}
     */
    public long bodyId(int index) {
        return bodyIds[Objects.checkIndex(index, count)];
    }

    /**
     * {@return the game's own number for a hit body; 0 if it is not attached}
     *
     * @param index 0 to {@code count() - 1}
     */
    public long userData(int index) {
        return userData[Objects.checkIndex(index, count)];
    }

    /**
     * {@return the hit shape of the body, the number that contact events report; -1 if the body has only one, or the engine has no number}
     *
     * @param index 0 to {@code count() - 1}
     */
    public int shape(int index) {
        return shapes[Objects.checkIndex(index, count)];
    }

    /**
     * {@return a coordinate of the hit point on the body, metres in the world} In Box2D an overlap has the position of the form.
     *
     * @param index 0 to {@code count() - 1}
     * @param axis  0 for x, 1 for y, 2 for z
     */
    public double point(int index, int axis) {
        return points[POINT * Objects.checkIndex(index, count) + axis];
    }

    /**
     * {@return a coordinate of the unit normal of the body's surface at the hit point, which points out of the body} Zeros if a ray begins
     * in the body, or the engine does not say.
     *
     * @param index 0 to {@code count() - 1}
     * @param axis  0 for x, 1 for y, 2 for z
     */
    public float normal(int index, int axis) {
        return normals[POINT * Objects.checkIndex(index, count) + axis];
    }

    /**
     * {@return the part of the way up to the hit, 0 to 1; 0 for an overlap}
     *
     * @param index 0 to {@code count() - 1}
     */
    public float fraction(int index) {
        return fractions[Objects.checkIndex(index, count)];
    }

    void begin(QueryWorld asked, QueryFilter asks, boolean onlyFirst) {
        if (world != null) {
            throw new IllegalStateException(
                    "these hits are those of a query in progress; a predicate of another query world must have hits of its own");
        }
        count = 0;
        world = asked;
        filter = asks;
        firstOnly = onlyFirst;
    }

    /** Ends a query. Throws what the predicate has thrown. */
    void end() {
        Throwable thrown = failure;
        failure = null;
        world = null;
        if (thrown != null) {
            count = 0;
            throw unchecked(thrown);
        }
    }

    /** Throws an exception as it is. A predicate declares none that is checked. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** {@return whether the query asks for the nearest hit alone} For engines. */
    public boolean isFirstOnly() {
        return firstOnly;
    }

    /** {@return whether the query accepts every body, so that the nearest hit needs no filter} For engines. */
    public boolean acceptsAll() {
        return filter == QueryFilter.ALL;
    }

    /** {@return the fraction of the way from which on no hit is wanted} For engines. */
    public float limit() {
        return firstOnly && count > 0 ? fractions[0] : 1;
    }

    /**
     * Returns whether the query wants a hit. If it does, call {@link #add} next. For engines.
     *
     * @param slot     the slot of the copy that was hit
     * @param groups   the groups of the hit shape
     * @param shape    the hit shape
     * @param fraction the part of the way up to the hit; 0 for an overlap
     * @return false if the filter refuses the body, or a nearer hit is known and only one is wanted
     */
    public boolean wants(int slot, long groups, int shape, float fraction) {
        boolean isBeyond = firstOnly && count > 0 && fraction >= fractions[0];
        if ((groups & filter.groups()) == 0 || isBeyond || failure != null) {
            return false;
        }
        QueryWorld asked = Objects.requireNonNull(world, "no query is in progress");
        wantedId = asked.idOf(slot);
        wantedUserData = asked.userDataOf(slot);
        wantedShape = shape;
        wantedFraction = fraction;
        try {
            return filter.predicate().accepts(wantedId, wantedUserData);
        } catch (Throwable thrown) {
            failure = thrown;
            return false;
        }
    }

    /**
     * Adds the hit that {@link #wants} has accepted. For engines.
     *
     * @param x  the hit point on the body, in the coordinates of the engine
     * @param y  along y
     * @param z  along z
     * @param nx the unit normal out of the body
     * @param ny along y
     * @param nz along z
     */
    public void add(double x, double y, double z, float nx, float ny, float nz) {
        if (firstOnly) {
            count = 0;
        } else if (count == bodyIds.length) {
            grow();
        }
        int at = count++;
        while (at > 0 && fractions[at - 1] > wantedFraction) {
            copy(at - 1, at);
            at--;
        }
        bodyIds[at] = wantedId;
        userData[at] = wantedUserData;
        shapes[at] = wantedShape;
        fractions[at] = wantedFraction;
        double[] zero = Objects.requireNonNull(world, "no query is in progress").zero;
        points[POINT * at] = zero[0] + x;
        points[POINT * at + 1] = zero[1] + y;
        points[POINT * at + 2] = zero[2] + z;
        normals[POINT * at] = nx;
        normals[POINT * at + 1] = ny;
        normals[POINT * at + 2] = nz;
    }

    private void copy(int from, int to) {
        bodyIds[to] = bodyIds[from];
        userData[to] = userData[from];
        shapes[to] = shapes[from];
        fractions[to] = fractions[from];
        System.arraycopy(points, POINT * from, points, POINT * to, POINT);
        System.arraycopy(normals, POINT * from, normals, POINT * to, POINT);
    }

    private void grow() {
        int length = 2 * count;
        bodyIds = Arrays.copyOf(bodyIds, length);
        userData = Arrays.copyOf(userData, length);
        shapes = Arrays.copyOf(shapes, length);
        fractions = Arrays.copyOf(fractions, length);
        points = Arrays.copyOf(points, POINT * length);
        normals = Arrays.copyOf(normals, POINT * length);
    }
}
