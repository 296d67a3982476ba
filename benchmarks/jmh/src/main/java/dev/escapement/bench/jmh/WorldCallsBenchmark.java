package dev.escapement.bench.jmh;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.EdgeShape;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.bench.demo.Engine;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.box2d.Box2dNatives;
import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.physics.physx.PhysxWorldSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import physx.physics.PxRigidActor;

/**
 * Measures the calls of a world that could search: ticks with contacts of a body of many fixtures, ticks of bodies that touch nothing,
 * attaching a body to a scene, and ticks that answer a query for shapes. With ten times the bodies, a search takes ten times as long.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WorldCallsBenchmark {

    private static final long TICK_NANOS = 10_000_000;
    private static final int BALLS = 100;
    private static final int SHAPES = 256;
    private static final float TILE_METRES = 0.25f;

    /** A world that ticks on the benchmark's thread. */
    @State(Scope.Thread)
    public abstract static class Ticked {

        /** How many bodies the world has, or how many fixtures its one large body. */
        @Param({"1000", "10000"})
        int bodies;

        private final ManualClock clock = new ManualClock(0);
        private @Nullable InlineDriver driver;
        private @Nullable EventStream events;
        private CompletableFuture<List<@Nullable BodyShape>> shapes = CompletableFuture.completedFuture(List.of());

        abstract Simulation build();

        @Setup
        public void create() {
            driver = PhysicsService.builder(build()).inline(clock);
            events = driver.events(1 << 16);
            tick();
        }

        int tick() {
            clock.advance(TICK_NANOS);
            Objects.requireNonNull(driver).runDueTicks();
            return Objects.requireNonNull(events).drain(event -> {});
        }

        /** Asks for the shapes of the first bodies, unless an earlier query waits for its answer, and runs a tick. */
        int tickWithQuery() {
            if (shapes.isDone()) {
                shapes = Objects.requireNonNull(driver)
                        .shapes(LongStream.range(0, Math.min(SHAPES, bodies))
                                .map(slot -> BodyId.of((int) slot, 1))
                                .boxed()
                                .toList());
            }
            return tick();
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(driver).close();
        }
    }

    abstract static class Flat extends Ticked {

        private @Nullable World world;
        private @Nullable Box2dWorldSimulation simulation;

        abstract void fill();

        @Override
        Simulation build() {
            Box2dNatives.load();
            world = new World(new Vector2(0, -9.81f), true);
            simulation = new Box2dWorldSimulation(world, (stepped, dt) -> stepped.step(dt, 8, 3));
            fill();
            return simulation;
        }

        final Body attach(BodyType type, double x, double y) {
            BodyDef at = new BodyDef();
            at.type = type;
            at.allowSleep = false;
            at.position.set((float) x, (float) y);
            Body body = Objects.requireNonNull(world).createBody(at);
            Objects.requireNonNull(simulation).attach(body, 0);
            return body;
        }

        static void add(Body body, Shape shape) {
            body.createFixture(shape, 1);
            shape.dispose();
        }
    }

    /** Balls that lie on a floor of many edges. The floor has the first slot. */
    public static class Tiles extends Flat {

        @Override
        void fill() {
            Body floor = attach(BodyType.StaticBody, 0, 0);
            for (int tile = 0; tile < bodies; tile++) {
                EdgeShape edge = new EdgeShape();
                edge.set(tile * TILE_METRES, 0, (tile + 1) * TILE_METRES, 0);
                add(floor, edge);
            }
            for (int ball = 0; ball < BALLS; ball++) {
                CircleShape circle = new CircleShape();
                circle.setRadius(0.1f);
                add(attach(BodyType.DynamicBody, (ball + 0.5) * bodies / BALLS * TILE_METRES, 0.12), circle);
            }
        }
    }

    /** Bodies without fixtures, which stay where they are. */
    public static class Bare extends Flat {

        @Override
        void fill() {
            for (int body = 0; body < bodies; body++) {
                attach(BodyType.KinematicBody, body, 0);
            }
        }
    }

    /** Boxes that stay where they are. */
    public static class Boxes extends Flat {

        @Override
        void fill() {
            for (int body = 0; body < bodies; body++) {
                PolygonShape box = new PolygonShape();
                box.setAsBox(0.5f, 0.5f);
                add(attach(BodyType.StaticBody, 2 * body, 0), box);
            }
        }
    }

    /** A scene of PhysX, in which two of the bodies come and go. */
    public static class Scene extends Ticked {

        private @Nullable PhysxWorldSimulation simulation;
        private final List<PxRigidActor> coming = new ArrayList<>();

        @Override
        Simulation build() {
            Simulation pile = Engine.PHYSX.pile(bodies);
            simulation = pile.capability(PhysxWorldSimulation.class).orElseThrow();
            return pile;
        }

        @Override
        public void create() {
            super.create();
            for (int slot = 0; slot < 2; slot++) {
                coming.add(Objects.requireNonNull(
                        Objects.requireNonNull(simulation).bodyOf(BodyId.of(slot, 1))));
            }
        }

        int attachAgain() {
            PhysxWorldSimulation around = Objects.requireNonNull(simulation);
            for (PxRigidActor body : coming) {
                around.detach(body);
                around.world().removeActor(body);
            }
            for (PxRigidActor body : coming) {
                around.world().addActor(body);
                around.attach(body, 0);
            }
            return around.bodyCount();
        }
    }

    @Benchmark
    public int contactsOfFixtures(Tiles world) {
        return world.tick();
    }

    @Benchmark
    public int contactsOfBareBodies(Bare world) {
        return world.tick();
    }

    @Benchmark
    public int attach(Scene world) {
        return world.attachAgain();
    }

    @Benchmark
    public int shapesOfBodies(Boxes world) {
        return world.tickWithQuery();
    }

    @Benchmark
    public int shapesOfFixtures(Tiles world) {
        return world.tickWithQuery();
    }
}
