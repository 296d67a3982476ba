package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.scene.Crowd;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.function.Supplier;

/**
 * A thousand bodies, in Jolt where it has a native library.
 *
 * @param name   what they are
 * @param bodies makes them
 */
public record JoltCrowd(String name, Supplier<Crowd> bodies) {

    private static final int BODIES = 1000;

    /** The best there is on this machine. */
    public static JoltCrowd available() {
        try {
            JoltNatives.load();
            return new JoltCrowd("1,000 boxes in Jolt", () -> new Crowd(new JoltPile(new BoxPile(BODIES)), BODIES));
        } catch (UnsupportedPlatformException e) {
            return new JoltCrowd("1,000 masses on springs", () -> new Crowd(new SpringSimulation(BODIES), BODIES));
        }
    }
}
