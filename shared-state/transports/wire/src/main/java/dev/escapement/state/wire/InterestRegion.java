package dev.escapement.state.wire;

/**
 * A sphere around a moving point. Importance falls from 1 at the point to 0.1 at the edge.
 *
 * <p>Safe for any thread. The point is at the world's (0, 0, 0) until the first {@link #moveTo}.
 *
 * @see Interest
 */
public final class InterestRegion implements Interest {

    private static final double EDGE = 0.1;

    /** The point as one object: no thread sees the x of one position and the y of another. */
    private record Place(double x, double y, double z) {}

    private final double radius;

    /** Volatile: written by the game's threads, read by the sender's. */
    private volatile Place place = new Place(0, 0, 0);

    /**
     * Creates a region around (0, 0, 0).
     *
     * @param radiusMetres the radius, in metres
     * @throws IllegalArgumentException if the radius is not finite and more than 0
     */
    public InterestRegion(double radiusMetres) {
        if (!(radiusMetres > 0 && radiusMetres < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a region has a finite radius of more than 0 m, but not of " + radiusMetres + " m");
        }
        radius = radiusMetres;
    }

    /**
     * Moves the point.
     *
     * @param x the new position in the world, in metres
     * @param y likewise
     * @param z likewise
     * @throws IllegalArgumentException if a coordinate is not finite; then the point stays where it was
     */
    public void moveTo(double x, double y, double z) {
        if (!Double.isFinite(x + y + z)) {
            throw new IllegalArgumentException(
                    "a region cannot be moved to (" + x + ", " + y + ", " + z + "): not all are finite");
        }
        place = new Place(x, y, z);
    }

    @Override
    public double importance(long body, long userData, double x, double y, double z) {
        Place at = place;
        double dx = x - at.x;
        double dy = y - at.y;
        double dz = z - at.z;
        double squared = dx * dx + dy * dy + dz * dz;
        return squared <= radius * radius ? 1 - (1 - EDGE) * Math.sqrt(squared) / radius : 0;
    }
}
