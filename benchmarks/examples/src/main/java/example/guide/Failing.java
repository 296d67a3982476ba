package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import java.util.function.Consumer;

/** What a game does when its physics ends. */
final class Failing {

    private Failing() {}

    static PhysicsService start(Simulation simulation, Consumer<Throwable> crashReporter) {
        return PhysicsService.builder(simulation)
                .watchdog(2_000) // a tick that takes 2 s counts as a failure
                .onFailure(crashReporter) // in place of the line in the log
                .start();
    }

    static boolean goOn(PhysicsService physics, Simulation another) {
        if (physics.state() != ServiceState.FAILED) {
            return false;
        }
        physics.restart(another); // tick numbers go on, readers go over by themselves
        return true;
    }
}
