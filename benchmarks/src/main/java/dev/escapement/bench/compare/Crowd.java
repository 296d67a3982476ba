package dev.escapement.bench.compare;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.function.Supplier;

/**
 * Bodies beside the scene, to make it as large as a world is.
 *
 * @param simulation what moves them
 * @param bodies     how many it captures
 */
record Crowd(Simulation simulation, int bodies) {

    private static final int THOUSAND = 1000;

    /** No bodies, and nothing to do. */
    static final Crowd NONE = new Crowd(new EmptySimulation(), 0);

    /**
     * Makes crowds.
     *
     * @param name   what they are
     * @param bodies makes one
     */
    record Source(String name, Supplier<Crowd> bodies) {}

    /** A thousand bodies, in Jolt where it has a native library. */
    static Source thousand() {
        try {
            JoltNatives.load();
            return new Source("1,000 boxes in Jolt", () -> new Crowd(new JoltPile(new BoxPile(THOUSAND)), THOUSAND));
        } catch (UnsupportedPlatformException e) {
            return new Source("1,000 masses on springs", () -> new Crowd(new SpringSimulation(THOUSAND), THOUSAND));
        }
    }
}
