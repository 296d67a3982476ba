package dev.escapement.render.interpolation;

/** The cubic Hermite basis at one alpha: a + (b - a) along + va leaving + vb arriving, velocities in metres a second. */
final class HermiteWeights {

    float along;
    float leaving;
    float arriving;

    void set(float alpha, double tickSeconds) {
        double t = alpha;
        along = (float) (t * t * (3 - 2 * t));
        leaving = (float) (tickSeconds * t * (1 - t) * (1 - t));
        arriving = (float) (-tickSeconds * t * t * (1 - t));
    }
}
