package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;

/** A world in dyn4j, with the calls that a game makes while the world ticks. */
final class Yard {

    static final long CRATE = 1;

    final Dyn4jWorldSimulation<Body> simulation;
    final Body crate;

    Yard() {
        World<Body> world = new World<>();
        addBox(world, 60, 1, 0, -0.5, MassType.INFINITE);
        crate = addBox(world, 1, 1, 0, 2, MassType.NORMAL);
        simulation = new Dyn4jWorldSimulation<>(world);
        simulation.attach(crate, CRATE);
    }

    static Body addBox(World<Body> world, double width, double height, double x, double y, MassType mass) {
        Body body = new Body();
        body.addFixture(Geometry.createRectangle(width, height));
        body.setMass(mass);
        body.translate(x, y);
        world.addBody(body);
        return body;
    }

    PhysicsService service() {
        return PhysicsService.builder(simulation)
                .rate(TickRate.hertz(100)) // or new TickRate(60_000, 1001)
                .maxReaders(4) // a reader for each thread that draws or sends
                .preallocate(1_000) // room for this many bodies before the first tick
                .waitStrategy(WaitStrategy.PARK_ONLY) // parks without spinning, to save battery or cores
                .build();
    }

    CompletableFuture<Answer<Body>> push(TickingWorld physics) {
        return physics.command(tick -> {
            crate.applyImpulse(new Vector2(0, 5));
            return crate;
        });
    }

    /** A push as data. A handler says once what it does, and a replay can do it again. */
    record Push(double newtonSeconds) {
        static final CommandType<Push, Body> TYPE = CommandType.of(
                "push", 1, (push, to) -> to.writeDouble(push.newtonSeconds()), from -> new Push(from.readDouble()));
    }

    /** Call this before the service is started. */
    void handleCommands() {
        simulation.commands().on(Push.TYPE, (tick, push) -> {
            crate.applyImpulse(new Vector2(0, push.newtonSeconds()));
            return crate;
        });
    }

    static CompletableFuture<Answer<Body>> pushAgain(TickingWorld physics) {
        return physics.command(Push.TYPE, new Push(5)); // recordings contain the command, and replays repeat it
    }

    CompletableFuture<Answer<Boolean>> remove(TickingWorld physics) {
        return physics.command(tick -> {
            simulation.detach(crate); // before removing it, because an attached body has to be in the world
            return simulation.world().removeBody(crate);
        });
    }

    static boolean press(TickingWorld physics, int key) {
        return physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
    }

    /**
     * Plays the sounds of the events that the picture shows by now. Returns true if events were lost, so that the game must rebuild its
     * picture and sounds.
     */
    static boolean listen(EventStream events, FrameView view, Consumer<String> sounds) {
        boolean[] missed = new boolean[1];
        if (view.hasWindow()) { // nothing is shown before the first ticks
            events.drain(view.shown().tick(), event -> {
                switch (event.kind()) {
                    case CONTACT_BEGAN -> sounds.accept("thud at %.1f".formatted(event.x()));
                    case GAP -> missed[0] = true; // drained too late: as many events as event.missed() are missing here
                    default -> {} // SPAWNED, DESPAWNED, CONTACT_ENDED
                }
            });
        }
        return missed[0];
    }
}
