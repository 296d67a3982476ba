package example.guide;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The everyday tasks of a game, around a world in Jolt. */
final class Everyday {

    static final int NOTHING = -1;

    private Everyday() {}

    /** Within a command, a query or a step; {@code way} ends where the ray does. */
    static int castRay(JoltWorldSimulation simulation, RVec3 from, Vec3 way) {
        RayCastResult hit = new RayCastResult();
        boolean found = simulation.world().getNarrowPhaseQuery().castRay(new RRayCast(from, way), hit);
        return found ? hit.getBodyId() : NOTHING;
    }

    static CompletableFuture<Answer<Integer>> whatIsThere(
            TickingWorld physics, JoltWorldSimulation simulation, RVec3 from, Vec3 way) {
        return physics.query(tick -> castRay(simulation, from, way));
    }

    static CompletableFuture<Answer<Body>> teleport(
            TickingWorld physics, JoltWorldSimulation simulation, Body body, RVec3 to) {
        return physics.command(tick -> {
            simulation.world().getBodyInterface().setPosition(body.getId(), to, EActivation.Activate);
            simulation.teleported(body); // no frame shows it on the way
            return body;
        });
    }

    /** Before the service starts, or in a command. */
    static Body addTrigger(JoltWorldSimulation simulation, RVec3 place, long userData) {
        BodyInterface bodies = simulation.world().getBodyInterface();
        BodyCreationSettings settings =
                new BodyCreationSettings(new BoxShape(1), place, new Quat(), EMotionType.Kinematic, 0);
        settings.setIsSensor(true); // it touches, and stops nothing
        Body trigger = bodies.createBody(settings);
        bodies.addBody(trigger, EActivation.Activate);
        simulation.attach(trigger, userData);
        return trigger;
    }

    /** Once a frame; {@code trigger} is {@code simulation.idOf(body)}, asked in a query. */
    static void drainTrigger(EventStream events, long trigger, LongConsumer entered) {
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                if (event.body() == trigger) {
                    entered.accept(event.other());
                } else if (event.other() == trigger) {
                    entered.accept(event.body());
                }
            }
        });
    }

    static CompletableFuture<Answer<Boolean>> isAsleep(TickingWorld physics, Body body) {
        return physics.query(tick -> !body.isActive());
    }

    /** A platform that goes up and down, and carries what stands on it. */
    static final class LiftRules extends ForwardingSimulation {

        private final JoltWorldSimulation world;
        private final Body lift;

        LiftRules(JoltWorldSimulation world, Body lift) {
            super(world);
            this.world = world;
            this.lift = lift;
        }

        @Override
        public void step(Tick tick) throws Exception {
            double metres = 2 + Math.sin(tick.number() * tick.dtSeconds());
            BodyInterface bodies = world.world().getBodyInterface();
            bodies.moveKinematic(lift.getId(), new RVec3(0, metres, 0), new Quat(), (float) tick.dtSeconds());
            super.step(tick);
        }
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
        physics.command(tick -> {
                    simulation.restore(new StateBuffer(saved));
                    return tick;
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

    /** In a step: {@code presses(tick.input(), 32)}, how often space went down since the tick before. */
    static int presses(InputFrame input, int key) {
        int presses = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (event.kind() == InputKind.KEY_DOWN && event.code() == key) {
                presses++;
            }
        }
        return presses;
    }

    static void slowMotion(TickingWorld physics, boolean on) {
        physics.timeScale(on ? TimeScale.of(0.1) : TimeScale.ONE); // as many ticks a second of the world as before
    }

    static void menu(TickingWorld physics, boolean open) {
        if (open) {
            physics.pause(); // frames go on, and show the world as it stands
        } else {
            physics.resume();
        }
    }

    static void playSounds(EventStream events, Consumer<String> sounds) {
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                sounds.accept("thud at %.1f %.1f %.1f".formatted(event.x(), event.y(), event.z()));
            }
        });
    }

    static String count(PhysicsService physics) {
        return "%d ticks, %d skipped, step p99 %d us"
                .formatted(
                        physics.lastTick(),
                        physics.skippedTicks(),
                        physics.stats().stepNanos().getValueAtPercentile(99) / 1000);
    }
}
