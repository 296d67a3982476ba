package example.guide;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.TimeScale;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The everyday tasks of a game, around a world in Jolt. */
final class Everyday {

    private Everyday() {}

    /** Within a command, a query or a step; {@code way} ends where the ray does. */
    static int castRay(JoltWorldSimulation simulation, RVec3 from, Vec3 way) {
        RayCastResult hit = new RayCastResult();
        boolean found = simulation.world().getNarrowPhaseQuery().castRay(new RRayCast(from, way), hit);
        return found ? hit.getBodyId() : -1; // as BodyInterface takes it
    }

    static CompletableFuture<Answer<Integer>> whatIsThere(
            TickingWorld physics, JoltWorldSimulation simulation, RVec3 from, Vec3 way) {
        return physics.query(tick -> castRay(simulation, from, way));
    }

    static CompletableFuture<Answer<Body>> teleport(
            TickingWorld physics, JoltWorldSimulation simulation, Body body, RVec3 to) {
        return physics.command(tick -> {
            BodyInterface bodies = simulation.world().getBodyInterface();
            bodies.setPosition(body.getId(), to, EActivation.Activate);
            bodies.setLinearVelocity(body.getId(), new Vec3()); // it would keep its velocity
            simulation.teleported(body); // no frame shows it on the way
            return body;
        });
    }

    static CompletableFuture<?> push(TickingWorld physics, JoltWorldSimulation simulation, Body body) {
        return physics.execute(tick -> {
            simulation.world().getBodyInterface().addImpulse(body.getId(), new Vec3(0, 5_000, 0)); // wakes it, too
        });
    }

    static CompletableFuture<Answer<Boolean>> isAsleep(TickingWorld physics, Body body) {
        return physics.query(tick -> !body.isActive());
    }

    static PhysicsService change(PhysicsService old, Simulation level, RenderLoop loop) {
        old.close(); // and its simulation; its last picture stays
        PhysicsService next =
                PhysicsService.builder(level).firstTick(old.lastTick() + 1).start();
        loop.show(FrameView.of(next.newReader())); // from the first window of the new one on
        return next;
    }

    static byte[] save(TickingWorld physics, JoltWorldSimulation simulation) {
        StateBuffer state = new StateBuffer();
        physics.query(tick -> {
                    simulation.save(state);
                    return state;
                })
                .join();
        return state.toBytes(); // for a file
    }

    static void load(TickingWorld physics, JoltWorldSimulation simulation, byte[] saved) {
        StateBuffer state = new StateBuffer(saved); // refuses damaged bytes
        physics.execute(tick -> {
                    simulation.restore(state);
                })
                .join();
    }

    static void drawAll(List<FrameView> worlds, long nowNanos, Consumer<FrameView> renderer) {
        for (FrameView world : worlds) { // each has a service of its own
            if (world.advance(nowNanos)) {
                renderer.accept(world);
            }
        }
    }

    static CompletableFuture<Answer<Body>> showAtTicksOnly(
            TickingWorld physics, JoltWorldSimulation simulation, Body body) {
        return physics.command(tick -> {
            simulation.blended(body, false);
            return body;
        });
    }

    static void slowMotion(TickingWorld physics, boolean on) {
        physics.timeScale(on ? TimeScale.of(0.1) : TimeScale.ONE); // any thread, also in a step
    }

    static void playSounds(EventStream events, Consumer<String> sounds) {
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN && event.isOfBodies()) {
                sounds.accept("thud of %.1f m/s at %.1f %.1f".formatted(event.closingSpeed(), event.x(), event.y()));
            }
        });
    }
}
