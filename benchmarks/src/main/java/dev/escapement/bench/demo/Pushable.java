package dev.escapement.bench.demo;

/**
 * A world whose bodies can be pushed. Physics thread only.
 *
 * @see PushControls
 */
public interface Pushable {

    /**
     * How many bodies there are.
     *
     * @return bodies 0 to {@code bodyCount() - 1}
     */
    int bodyCount();

    /**
     * Where a body is.
     *
     * @param body its number
     * @return metres along x
     */
    double x(int body);

    /**
     * Where a body is.
     *
     * @param body its number
     * @return metres along y
     */
    double y(int body);

    /**
     * Where a body is.
     *
     * @param body its number
     * @return metres along z
     */
    double z(int body);

    /**
     * Changes a body's velocity at once.
     *
     * @param body its number
     * @param dvx  metres per second
     * @param dvy  metres per second
     * @param dvz  metres per second
     */
    void push(int body, double dvx, double dvy, double dvz);

    /**
     * How many input events have been applied within steps so far.
     *
     * @return events, as {@link PushControls#applied()} counts them
     */
    long inputsApplied();
}
