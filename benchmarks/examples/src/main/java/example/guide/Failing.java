package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputSource;
import java.util.function.Consumer;

/** A game's reaction to the end of its physics. */
final class Failing {

    private Failing() {}

    static PhysicsService start(Simulation simulation, Consumer<Throwable> crashReporter) {
        return PhysicsService.builder(simulation)
                .watchdog(2_000) // a tick of more than 2 s counts as a failure
                .onFailure(crashReporter) // instead of logging the failure
                .start();
    }

    static PhysicsService startOver(PhysicsService failed, Simulation another, InputSource lent, RenderLoop loop) {
        failed.close(); // waits until the old service has closed everything
        PhysicsService next = PhysicsService.builder(another)
                .firstTick(failed.lastPublishedTick() + 1) // tick numbers and simulated time continue
                .source(lent) // a new BorrowedSource(device): the device stays open, and pressed keys stay pressed
                .start();
        loop.show(FrameView.of(next.newReader())); // shows the old picture until there is a new one
        return next;
    }
}
