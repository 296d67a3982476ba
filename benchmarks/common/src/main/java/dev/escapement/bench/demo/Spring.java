package dev.escapement.bench.demo;

/**
 * A mass on a damped spring, m x'' = -k x - c x'.
 *
 * @param massKilograms m, positive
 * @param stiffness     k in newtons per metre, positive
 * @param damping       c in newton seconds per metre, not negative and below the critical 2 sqrt(k m)
 * @see SpringSimulation
 */
record Spring(double massKilograms, double stiffness, double damping) {

    Spring {
        boolean oscillates =
                massKilograms > 0 && stiffness > 0 && damping >= 0 && damping * damping < 4 * stiffness * massKilograms;
        if (!oscillates) {
            throw new IllegalArgumentException("a spring needs m > 0, k > 0 and 0 <= c < 2 sqrt(k m), but m = "
                    + massKilograms + ", k = " + stiffness + ", c = " + damping);
        }
    }

    private double acceleration(double x, double v) {
        return (-stiffness * x - damping * v) / massKilograms;
    }

    /**
     * Advances a mass in three dimensions, by the classic fourth-order Runge-Kutta method.
     *
     * @param state     position relative to rest, and after it velocity, along x, y and z each
     * @param at        where in the array
     * @param dtSeconds how far
     */
    void step(double[] state, int at, double dtSeconds) {
        double half = dtSeconds / 2;
        for (int axis = at; axis < at + 3; axis++) {
            double x = state[axis];
            double v = state[axis + 3];
            double a = acceleration(x, v);
            double v2 = v + half * a;
            double a2 = acceleration(x + half * v, v2);
            double v3 = v + half * a2;
            double a3 = acceleration(x + half * v2, v3);
            double v4 = v + dtSeconds * a3;
            double a4 = acceleration(x + dtSeconds * v3, v4);
            state[axis] = x + dtSeconds / 6 * (v + 2 * v2 + 2 * v3 + v4);
            state[axis + 3] = v + dtSeconds / 6 * (a + 2 * a2 + 2 * a3 + a4);
        }
    }
}
