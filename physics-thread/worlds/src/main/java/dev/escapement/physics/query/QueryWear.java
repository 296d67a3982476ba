package dev.escapement.physics.query;

/**
 * Measures how far moved copies have widened an engine's broad phase since it was built or repaired.
 *
 * <pre>{@code
 * wear.move(copy, x, y, z, qx, qy, qz);
 * if (wear.isWorn()) {
 *     repair();
 *     wear.repaired();
 * }
 * }</pre>
 *
 * <p>For engines whose broad phase only a step would repair. One thread at a time. Allocates nothing.
 */
public final class QueryWear {

    /** The mean way of the bodies at which the broad phase is worn, as a fraction of their mean size. */
    private static final double WORN = 0.25;

    private double sizes;
    private double ways;

    /** A copy of a body: its size, and the pose at which it was last. Engines extend it. */
    public abstract static class Copy {

        private final double size;
        private double x;
        private double y;
        private double z;
        private float qx;
        private float qy;
        private float qz;

        /**
         * Creates a copy at zero.
         *
         * @param size half of the greatest length of its bounds, metres
         */
        protected Copy(double size) {
            this.size = size;
        }

        /**
         * Notes a pose.
         *
         * @param toX  metres
         * @param toY  metres
         * @param toZ  metres
         * @param toQx rotation, unit quaternion x
         * @param toQy rotation, unit quaternion y
         * @param toQz rotation, unit quaternion z
         * @return how far a point of the body may have moved, metres, with the factor that the sum over three axes adds
         */
        protected final double moveTo(double toX, double toY, double toZ, float toQx, float toQy, float toQz) {
            double way = Math.abs(toX - x) + Math.abs(toY - y) + Math.abs(toZ - z);
            way += 2 * size * (Math.abs(toQx - qx) + Math.abs(toQy - qy) + Math.abs(toQz - qz));
            x = toX;
            y = toY;
            z = toZ;
            qx = toQx;
            qy = toQy;
            qz = toQz;
            return way;
        }
    }

    /** Creates a measure without copies. */
    public QueryWear() {}

    /**
     * Counts a copy that may move.
     *
     * @param copy the copy
     */
    public void add(Copy copy) {
        sizes += copy.size;
    }

    /**
     * Counts a copy no more.
     *
     * @param copy a copy that {@link #add} has counted
     */
    public void remove(Copy copy) {
        sizes -= copy.size;
    }

    /**
     * Counts a copy that came, in a broad phase which new bodies wear, as one that moved by its size.
     *
     * @param copy the copy
     */
    public void came(Copy copy) {
        ways += copy.size;
    }

    /**
     * Counts the way of a copy to a pose.
     *
     * @param copy the copy
     * @param x    metres
     * @param y    metres
     * @param z    metres
     * @param qx   rotation, unit quaternion x
     * @param qy   rotation, unit quaternion y
     * @param qz   rotation, unit quaternion z
     */
    public void move(Copy copy, double x, double y, double z, float qx, float qy, float qz) {
        ways += copy.moveTo(x, y, z, qx, qy, qz);
    }

    /** {@return whether the copies have moved by a quarter of their size on average since the last {@link #repaired}} */
    public boolean isWorn() {
        return ways > WORN * sizes;
    }

    /** Notes that the broad phase was repaired. */
    public void repaired() {
        ways = 0;
    }
}
