package dev.escapement.bench.compare;

/**
 * A ball that bounces without end and without rounding errors of time: its flight is a parabola and its bounce is where the parabola meets the floor, so it is at the
 * same height however long the steps were. What differs between two pictures of it is the drawing alone.
 *
 * <p>One thread.
 */
final class Ball {

    /** Where it falls from. */
    static final double START_METRES = 2;

    private static final double GRAVITY = 9.81;
    private static final double BOUNCE_SPEED = Math.sqrt(2 * GRAVITY * START_METRES);
    private static final double FALL_SECONDS = BOUNCE_SPEED / GRAVITY;

    private double height = START_METRES;
    private double velocity;

    /** Goes on for so long. */
    void fly(double seconds) {
        double rest = seconds;
        double untilFloor = secondsUntilFloor();
        while (rest >= untilFloor) {
            rest -= untilFloor;
            height = 0;
            velocity = BOUNCE_SPEED;
            untilFloor = secondsUntilFloor();
        }
        height += (velocity - GRAVITY * rest / 2) * rest;
        velocity -= GRAVITY * rest;
    }

    /** When it meets the floor next, seconds after it began to fall. */
    static double bounceAfter(double seconds) {
        double bounces = Math.ceil((seconds / FALL_SECONDS - 1) / 2);
        return (2 * bounces + 1) * FALL_SECONDS;
    }

    /** Where it is, metres above the floor, seconds after it began to fall. */
    static double heightAfter(double seconds) {
        double sinceBounce = (seconds + FALL_SECONDS) % (2 * FALL_SECONDS);
        return (BOUNCE_SPEED - GRAVITY / 2 * sinceBounce) * sinceBounce;
    }

    /** Metres above the floor. */
    double height() {
        return height;
    }

    private double secondsUntilFloor() {
        return (velocity + Math.sqrt(velocity * velocity + 2 * GRAVITY * Math.max(0, height))) / GRAVITY;
    }
}
