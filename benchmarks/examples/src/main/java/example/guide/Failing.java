package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import java.util.List;
import java.util.function.Consumer;
import org.dyn4j.dynamics.Body;
import org.dyn4j.world.World;

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

    static Dyn4jWorldSimulation<Body> goOnAround(PhysicsService failed, World<Body> world, List<Body> bodies) {
        Dyn4jWorldSimulation<Body> another = new Dyn4jWorldSimulation<>(world); // around the same world
        for (int i = 0; i < bodies.size(); i++) {
            another.attach(bodies.get(i), i); // they get other ids than before
        }
        failed.restart(another);
        return another; // in place of the simulation that has failed
    }
}
