package dev.escapement.bench.machine;

import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.sdl.SdlGamepads;
import dev.escapement.physics.sdl.SdlUnavailableException;
import dev.escapement.state.time.NanoClock;
import java.util.List;

/** Which physics engines and devices work here. */
final class Engines {

    private Engines() {}

    static List<Finding> look() {
        return List.of(
                jolt(),
                bullet(),
                Finding.good("ode4j", Ode4jWorldSimulation.version(), "runs everywhere: --engine ode4j"),
                Finding.good(
                        "dyn4j", Dyn4jWorldSimulation.version(), "two dimensions, runs everywhere: --engine dyn4j"),
                Finding.good("springs", "built in", "no collisions, the least work per tick: --engine spring"),
                gamepads());
    }

    private static Finding jolt() {
        try {
            JoltNatives.load();
            return Finding.good(
                    "Jolt", JoltWorldSimulation.version(), "the fastest here, and the default: --engine jolt");
        } catch (UnsupportedPlatformException e) {
            return Finding.fair("Jolt", "not found", e.getMessage() + "; ode4j takes its place");
        }
    }

    private static Finding bullet() {
        try {
            BulletNatives.load();
            return Finding.good("Bullet", BulletWorldSimulation.version(), "jMonkeyEngine's: --engine bullet");
        } catch (UnsupportedPlatformException e) {
            return Finding.info("Bullet", "not found", String.valueOf(e.getMessage()));
        }
    }

    private static Finding gamepads() {
        try {
            SdlGamepads.open(NanoClock.system()).close();
            return Finding.good("SDL gamepads", "found", "sampled on the physics thread: SdlGamepads");
        } catch (SdlUnavailableException e) {
            return Finding.info("SDL gamepads", "not found", String.valueOf(e.getMessage()));
        }
    }
}
