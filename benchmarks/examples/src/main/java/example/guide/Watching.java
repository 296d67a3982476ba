package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A world in a browser. */
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

    static LivePage withStartOver(PhysicsService physics, Supplier<PhysicsService> another) {
        return LivePage.of(physics.newReader())
                .controls(physics)
                .onStartOver(page -> {
                    PhysicsService next = another.get(); // the button was pressed, for the service has failed
                    page.show(next.newReader(), next);
                })
                .start();
    }

    static LivePage fromElsewhere(PhysicsService physics, String token) {
        return LivePage.of(physics.newReader())
                .port(8080)
                .hosts("physics.example.org", "localhost:9000") // as browsers show them; no wildcards
                .prefix("/physics")
                .token(token) // 22 characters or more; the address stays
                .start();
    }

    static RenderLoop drawAsWell(PhysicsService physics, RenderBackend backend, LivePage page) {
        FrameView view = FrameView.of(physics.newReader());
        return RenderLoop.start(view, backend, TickRate.hertz(60), page.frames("window"));
    }

    static CompletableFuture<?> stall(PhysicsService physics) {
        return physics.execute(tick -> {
            LockSupport.parkNanos(30_000_000); // 30 ms, to be found on the page
        });
    }
}
