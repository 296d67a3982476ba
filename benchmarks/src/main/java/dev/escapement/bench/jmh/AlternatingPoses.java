package dev.escapement.bench.jmh;

/**
 * Where a simulation keeps its bodies: interleaved positions and rotations, of two ticks in turns, so that from step to step
 * every body really moves.
 */
final class AlternatingPoses {

    private final float[][] positions;
    private final float[][] rotations;
    private int current;

    AlternatingPoses(int bodies) {
        positions = new float[2][3 * bodies];
        rotations = new float[2][4 * bodies];
        TumblingBodies world = new TumblingBodies(bodies);
        world.fill(1, positions[0], rotations[0]);
        world.fill(2, positions[1], rotations[1]);
    }

    void step() {
        current ^= 1;
    }

    /** x, y, z for each body, metres. */
    float[] positions() {
        return positions[current];
    }

    /** x, y, z for each body, the same in every step. */
    float[] firstPositions() {
        return positions[0];
    }

    /** Unit quaternion x, y, z, w for each body. */
    float[] rotations() {
        return rotations[current];
    }
}
