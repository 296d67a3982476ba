package dev.escapement.bench.demo;

/**
 * A mass on a damped spring, m x'' = -k x - c x', and its exact motion.
 *
 * @param massKilograms m, positive
 * @param stiffness     k in newtons per metre, positive
 * @param damping       c in newton seconds per metre, not negative and below the critical 2 sqrt(k m)
 * @see SpringSimulation
 */
public record Spring(double massKilograms, double stiffness, double damping) {

    /**
     * Checks that the motion is an oscillation.
     *
     * @param massKilograms m
     * @param stiffness     k
     * @param damping       c
     * @throws IllegalArgumentException if it is not
     */
    public Spring {
        boolean oscillates =
                massKilograms > 0 && stiffness > 0 && damping >= 0 && damping * damping < 4 * stiffness * massKilograms;
        if (!oscillates) {
            throw new IllegalArgumentException("a spring needs m > 0, k > 0 and 0 <= c < 2 sqrt(k m), but m = "
                    + massKilograms + ", k = " + stiffness + ", c = " + damping);
        }
    }

    /**
     * The acceleration in a state.
     *
     * @param x position relative to rest, metres
     * @param v velocity, metres per second
     * @return metres per second squared
     */
    public double acceleration(double x, double v) {
        return (-stiffness * x - damping * v) / massKilograms;
    }

    /**
     * The exact position: e^(-g t) (x0 cos w t + (v0 + g x0) / w sin w t), with g = c / 2m and w^2 = k / m - g^2 (any
     * textbook on the underdamped harmonic oscillator).
     *
     * @param x0      position at time 0
     * @param v0      velocity at time 0
     * @param seconds time
     * @return position relative to rest
     */
    public double exactPosition(double x0, double v0, double seconds) {
        double g = damping / (2 * massKilograms);
        double w = Math.sqrt(stiffness / massKilograms - g * g);
        return Math.exp(-g * seconds) * (x0 * Math.cos(w * seconds) + (v0 + g * x0) / w * Math.sin(w * seconds));
    }
}
