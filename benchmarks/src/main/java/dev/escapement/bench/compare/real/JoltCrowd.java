package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.scene.Crowd;
import dev.escapement.physics.jolt.JoltSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.spring.SpringSimulation;
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
            JoltSimulation.load();
            return new JoltCrowd(
                    "1,000 boxes in Jolt", () -> new Crowd(new JoltSimulation(new BoxPile(BODIES)), BODIES));
        } catch (UnsupportedPlatformException e) {
            return new JoltCrowd("1,000 masses on springs", () -> new Crowd(new SpringSimulation(BODIES), BODIES));
        }
    }
}
