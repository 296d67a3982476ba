package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.sdl.SdlGamepads;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.NanoClock;

/** Gamepads, read by the physics thread right before each tick. */
final class Gamepads {

    private Gamepads() {}

    static PhysicsService start(Simulation simulation) {
        return PhysicsService.builder(simulation)
                .source(SdlGamepads.open(NanoClock.system()))
                .start();
    }
}
