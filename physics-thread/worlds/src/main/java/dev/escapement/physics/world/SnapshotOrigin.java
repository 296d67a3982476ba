package dev.escapement.physics.world;

/**
 * Chooses the origin of snapshots near moving bodies, because a {@code float} is exact to 0.25 mm only within 8 km. The origin moves when
 * one distant place has more bodies than all other distant places and the surroundings of the origin together, or when no body is near the
 * origin. Otherwise the origin stays, so that it does not move to and fro, and does not leave the world's zero without need.
 *
 * <p>One thread at a time. Allocates nothing.
 */
final class SnapshotOrigin {

    /**
     * The origin's coordinates are multiples of this number of metres. So they and their differences are exact as floats, and streams need
     * not round them.
     */
    private static final double BLOCK = 64;

    /**
     * The distance along an axis beyond which bodies are distant, metres. It is 2 km less than 8 km, because a body may move that much
     * until its place is reported again.
     */
    private static final double REACH = 6144;

    /** The limit of the sum of a place's absolute coordinates, metres. The origin ignores bodies beyond it. */
    static final double FARTHEST = 1e18;

    /** The origin: x, y and z, metres in the world. */
    final double[] at = new double[3];

    /** The engine's zero, from which it measures positions: x, y and z, metres in the world. */
    final double[] zero = new double[3];

    private boolean shifted;

    private int near;

    /**
     * The candidate for the next origin, by a majority vote. A body beyond reach that is near the candidate counts for it, any other body
     * beyond reach against it. Source: R. S. Boyer and J. S. Moore, MJRTY - A Fast Majority Vote Algorithm, 1991.
     */
    private final double[] far = new double[3];

    private int lead;

    /** Whether any body was beyond reach. If none is within reach, the place of any of them is a better origin than the present one. */
    private boolean seesFar;

    /** Receives the position of a moving body, in the engine's coordinates. */
    void see(double engineX, double engineY, double engineZ) {
        double x = zero[0] + engineX;
        double y = zero[1] + engineY;
        double z = zero[2] + engineZ;
        if (isWithin(REACH, at, x, y, z)) {
            near++;
        } else if (Math.abs(x) + Math.abs(y) + Math.abs(z) <= FARTHEST) { // excludes NaN
            if (lead == 0) {
                far[0] = x;
                far[1] = y;
                far[2] = z;
            }
            lead += isWithin(REACH, far, x, y, z) ? 1 : -1;
            seesFar = true;
        }
    }

    private static boolean isWithin(double metres, double[] of, double x, double y, double z) {
        return Math.abs(x - of[0]) <= metres && Math.abs(y - of[1]) <= metres && Math.abs(z - of[2]) <= metres;
    }

    /** Throws an {@link IllegalArgumentException} for a shift that is not finite, or whose end is beyond {@link #FARTHEST}. */
    void requireShift(double... by) {
        if (!(Math.abs(zero[0] + by[0]) + Math.abs(zero[1] + by[1]) + Math.abs(zero[2] + by[2])
                <= FARTHEST)) { // refuses NaN, too
            throw new IllegalArgumentException("a shift of the origin must be finite and end within 1e18 m, but is ("
                    + by[0] + ", " + by[1] + ", " + by[2] + ") from (" + zero[0] + ", " + zero[1] + ", " + zero[2]
                    + "); pass metres from the old origin to the new one");
        }
    }

    /** Moves the engine's zero and the origin by the shift of the engine's own origin. */
    void shift(double... by) {
        requireShift(by);
        for (int axis = 0; axis < at.length; axis++) {
            at[axis] += by[axis];
            zero[axis] += by[axis];
            shifted |= by[axis] != 0;
        }
    }

    /** Moves the origin if necessary, and forgets the places of bodies. Returns whether the origin has moved since the last call. */
    boolean follow() {
        boolean leaves = lead > near || (near == 0 && seesFar);
        boolean moves = shifted || leaves;
        for (int axis = 0; axis < at.length && leaves; axis++) {
            at[axis] = BLOCK * Math.rint(far[axis] / BLOCK);
        }
        shifted = false;
        near = 0;
        lead = 0;
        seesFar = false;
        return moves;
    }
}
