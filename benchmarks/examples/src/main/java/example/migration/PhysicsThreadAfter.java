package example.migration;

import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.TickRate;
import org.joml.Vector3f;

final class PhysicsThreadAfter {

    private PhysicsThreadAfter() {}

    static void run(World world, Screen screen) {
        Vector3f position = new Vector3f();
        try (PhysicsService physics = PhysicsService.builder(world.asSimulation())
                .rate(TickRate.hertz(100))
                .start()) {
            FrameView view = FrameView.of(physics.newReader());
            while (screen.isOpen()) {
                if (view.advance(System.nanoTime())) {
                    screen.draw(view.positionOfSlot(0, position).y);
                }
            }
            view.close();
        }
    }
}
