package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.web.LivePage;
import java.util.function.Consumer;

/** A world shown in a web browser. */
final class Watching {

    private Watching() {}

    static void watch(Simulation simulation, Consumer<PhysicsService> game) {
        try (PhysicsService physics = PhysicsService.builder(simulation).start()) {
            LivePage page = LivePage.of(physics.newReader()).controls(physics).start();
            System.out.println(page.url()); // open this in a browser
            game.accept(physics);
            page.close();
        }
    }

    static LivePage fromElsewhere(PhysicsService physics, String token) {
        return LivePage.of(physics.newReader())
                .port(8080)
                .hosts("physics.example.org", "localhost:9000") // hosts as in a browser's address; no wildcards
                .prefix("/physics")
                .token(token) // 22 characters or more; with a fixed token the address stays the same
                .start();
    }
}
