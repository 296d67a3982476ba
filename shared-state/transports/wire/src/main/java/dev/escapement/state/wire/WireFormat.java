package dev.escapement.state.wire;

/**
 * The precision of sent poses: the application chooses the error bounds. The stream contains the format.
 *
 * <pre>{@code
 * new WireFormat(0.001f, 0.003f);   // 1 mm, 3 mrad
 * }</pre>
 *
 * <p>Channels, ids, user data and times are never rounded. A coordinate reaches 2<sup>30</sup> times its bound, 1,074 km for 1 mm: a body
 * beyond that is sent as if it were at the edge, and counted by receivers ({@link ReceiverMetric#CLAMPED_BODIES}). For larger worlds move
 * the origin, or round less finely.
 *
 * @param maxPositionErrorMetres  the largest error of a coordinate
 * @param maxRotationErrorRadians the largest angle between a rotation and its rounded value
 */
public record WireFormat(float maxPositionErrorMetres, float maxRotationErrorRadians) {

    private static final float MIN_ROTATION_ERROR = 1e-4f;
    private static final float MAX_ROTATION_ERROR = 0.1f;

    /**
     * Checks the bounds.
     *
     * @param maxPositionErrorMetres  the largest error of a coordinate
     * @param maxRotationErrorRadians the largest angle between a rotation and its rounded value
     * @throws IllegalArgumentException if the position error is not finite and positive, or the rotation error is not within 0.0001 and 0.1
     */
    public WireFormat {
        boolean isPossible = maxPositionErrorMetres > 0
                && Float.isFinite(maxPositionErrorMetres)
                && maxRotationErrorRadians >= MIN_ROTATION_ERROR
                && maxRotationErrorRadians <= MAX_ROTATION_ERROR;
        if (!isPossible) {
            throw new IllegalArgumentException(
                    "poses are rounded to more than 0 m and to 0.0001 to 0.1 rad, but not to " + maxPositionErrorMetres
                            + " m and " + maxRotationErrorRadians + " rad");
        }
    }
}
