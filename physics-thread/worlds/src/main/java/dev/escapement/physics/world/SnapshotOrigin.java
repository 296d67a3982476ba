package dev.escapement.physics.world;

/**
 * Chooses the origin of snapshots near what moves, because a {@code float} is exact to 0.25 mm only within 8 km. It moves when one place
 * elsewhere has more than all other places elsewhere and what is within reach together, or when nothing is within reach; and then by whole
 * blocks: not to and fro, and not from the world's zero without need.
 *
 * <p>One thread at a time. Allocates nothing.
 */
final class SnapshotOrigin {

    /** Coordinates are multiples of this many metres: they and their differences are exact floats, and whole units of most streams. */
    private static final double BLOCK = 64;

    /** Metres along an axis. Beyond it is elsewhere; there are 2 km more to the 8 km until it is seen. */
    private static final double REACH = 6144;

    /** Metres. */
    private static final double FARTHEST = 1e18;

    /** x, y and z, metres in the world. */
    final double[] at = new double[3];

    /** How much was seen within reach. */
    private int near;

    /**
     * Where most of what was seen elsewhere is: what is there counts for it, all else against it. Source: R. S. Boyer and J. S. Moore,
     * MJRTY - A Fast Majority Vote Algorithm, 1991.
     */
    private final double[] far = new double[3];

    private int lead;

    /** Whether anything was seen elsewhere. If nothing is within reach, any place of these is better than none. */
    private boolean seesFar;

    /** Sees something that moves at a place. */
    void see(double x, double y, double z) {
        if (isWithin(REACH, at, x, y, z)) {
            near++;
        } else if (Math.abs(x) + Math.abs(y) + Math.abs(z) <= FARTHEST) { // and not NaN
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

    /** Follows, and forgets what was seen. Returns whether it has moved. */
    boolean follow() {
        boolean moves = lead > near || (near == 0 && seesFar);
        for (int axis = 0; axis < at.length && moves; axis++) {
            at[axis] = BLOCK * Math.rint(far[axis] / BLOCK);
        }
        near = 0;
        lead = 0;
        seesFar = false;
        return moves;
    }
}
