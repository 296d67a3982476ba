package dev.escapement.bench.compare.scene;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/**
 * Bodies beside the scene, to make it as large as a world is.
 *
 * @param simulation what moves them
 * @param bodies     how many it captures
 */
public record Crowd(Simulation simulation, int bodies) {

    /** No bodies, and nothing to do. */
    public static final Crowd NOBODY = new Crowd(
            new Simulation() {
                @Override
                public void step(Tick tick) {}

                @Override
                public void capture(PoseWriter poses) {}
            },
            0);
}
