package game;

import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/** Prints the library that computes, or the missing one. */
final class Game {

    private Game() {}

    public static void main(String[] args) {
        try {
            JoltNatives.load();
            System.out.println(
                    "bodies: " + new PhysicsSystem().getNumBodies() + " in " + JoltWorldSimulation.version());
        } catch (UnsupportedPlatformException e) {
            System.out.println(e.getMessage());
        }
    }
}
