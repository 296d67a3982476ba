package dev.escapement.bench.compare;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.function.Supplier;

/**
 * Bodies beside the scene, to make it as large as a world is.
 *
 * @param name       what they are
 * @param bodies     how many
 * @param simulation makes what moves them
 */
record Crowd(String name, int bodies, Supplier<Simulation> simulation) {

    private static final int THOUSAND = 1000;

    /** A thousand bodies, in Jolt where it has a native library. */
    static Crowd thousand() {
        try {
            JoltNatives.load();
            return new Crowd("1,000 boxes in Jolt", THOUSAND, () -> new JoltPile(new BoxPile(THOUSAND)));
        } catch (UnsupportedPlatformException e) {
            return new Crowd("1,000 masses on springs", THOUSAND, () -> new SpringSimulation(THOUSAND));
        }
    }
}
