package dev.escapement.bench.compare;

/** A ball that falls onto the floor and bounces without end: at the same height at a moment, however long the steps until then were. */
final class Ball {

    /** Where it falls from. */
    static final double START_METRES = 2;

    private static final double GRAVITY = 9.81;
    private static final double BOUNCE_SPEED = Math.sqrt(2 * GRAVITY * START_METRES);
    private static final double FALL_SECONDS = BOUNCE_SPEED / GRAVITY;

    private Ball() {}

    /** How high it is, metres above the floor, seconds after it began to fall. */
    static double heightAfter(double seconds) {
        double sinceBounce = (seconds + FALL_SECONDS) % (2 * FALL_SECONDS);
        return (BOUNCE_SPEED - GRAVITY / 2 * sinceBounce) * sinceBounce;
    }
}
