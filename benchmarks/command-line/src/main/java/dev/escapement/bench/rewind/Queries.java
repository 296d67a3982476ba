package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltQueryWorld;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What it costs to ask a world about a moment: with rays from above bodies to places below them. */
final class Queries {

    private static final float METRES = 30;
    private static final double HALF_WIDTH = 7;
    private static final int PART = 100;
    private static final String[] WORLDS = {"Queried", "Stepped", "New"};
    private static final long SEED = 2;
    private static final int ASKING = 4;
    private static final long FRAME_NANOS = 1_000_000_000 / 60;

    /** Compiled as a direct call is; the binding's types for it differ between its versions. */
    private static final MethodHandle QUERY;

    private static final MethodHandle CAST;

    static {
        try {
            Method query = PhysicsSystem.class.getMethod("getNarrowPhaseQueryNoLock");
            Method cast = query.getReturnType().getMethod("castRay", RRayCast.class, RayCastResult.class);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            QUERY = lookup.unreflect(query).asType(MethodType.methodType(Object.class, PhysicsSystem.class));
            CAST = lookup.unreflect(cast)
                    .asType(MethodType.methodType(boolean.class, Object.class, RRayCast.class, RayCastResult.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final SplittableRandom RANDOM = new SplittableRandom(SEED);

    /** The same in each run; all threads read them. */
    private static final List<RRayCast> RAYS =
            Stream.generate(Queries::ray).limit(100).toList();

    private Queries() {}

    private static RRayCast ray() {
        double x = RANDOM.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        double z = RANDOM.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        float sideways = (float) RANDOM.nextDouble(-METRES / 3, METRES / 3);
        return new RRayCast(new RVec3(x, METRES / 2, z), new Vec3(sideways, -METRES, 0));
    }

    /** Casts the rays and measures that, under a name. Returns how far each went, in metres. */
    private static double[] cast(PhysicsSystem system, Samples samples, String name) {
        var hits = Stream.generate(RayCastResult::new).limit(RAYS.size()).toList();
        samples.time(name, () -> {
            Object query = (Object) QUERY.invokeExact(system);
            for (int ray = 0; ray < RAYS.size(); ray++) {
                boolean unused = (boolean) CAST.invokeExact(query, RAYS.get(ray), hits.get(ray));
            }
        });
        double[] metres =
                hits.stream().mapToDouble(hit -> METRES * hit.getFraction()).toArray();
        hits.forEach(RayCastResult::close);
        return metres;
    }

    /**
     * Asks a world, which this closes, so often, each time after some ticks. Measures {@code place}: all bodies, which have moved, at an
     * instant between two ticks; {@code firstQueried} and {@code lastQueried}: the rays, the first and the last {@value #PART} times; then
     * {@code lastStepped} in the stepped world, {@code lastNew} in a new query world; {@code off}: metres between two hits of a ray.
     */
    static Samples cost(Simulation simulation, int pushes, int warmUp, int times, int ticks) {
        Samples samples = new Samples();
        var jolt = simulation.capability(JoltWorldSimulation.class).orElseThrow();
        SplittableRandom random = new SplittableRandom(SEED);
        History history = new History(4, 1 << 24);
        try (SeededWorld world = new SeededWorld(simulation, pushes, builder -> builder);
                SnapshotReader reader = world.driver.newReader();
                JoltQueryWorld queries = JoltQueryWorld.of(jolt, 1);
                JoltQueryWorld others = JoltQueryWorld.of(jolt, 1)) {
            world.run(SEED, warmUp);
            int part = Math.min(PART, times / 2);
            for (int time = -warmUp; time < times; time++) {
                samples.counts = time >= 0;
                world.run(SEED, world.tick + ticks);
                reader.acquire();
                history.add(reader.window());
                var between = history.at(history.newestTick() - 1, random.nextInt(1, 16) / 16f);
                samples.time("place", () -> queries.at(between));
                queries.at(history.at(history.newestTick(), 0));
                boolean isLast = time >= times - part;
                if (isLast) {
                    others.at(history.at(history.newestTick(), 0));
                }
                PhysicsSystem[] systems = {queries.system(), jolt.world(), others.system()};
                double[][] metres = new double[isLast ? 3 : 2][];
                for (int turn = 0; turn < metres.length; turn++) {
                    int i = Math.floorMod(turn + time, metres.length); // the first brings the shapes into the caches
                    String when = isLast ? "last" : time < part ? "first" : "between";
                    metres[turn] = cast(systems[i], samples, when + WORLDS[i]);
                    for (int ray = 0; ray < RAYS.size(); ray++) {
                        samples.add("off", Math.abs(metres[turn][ray] - metres[0][ray]));
                    }
                }
            }
        }
        return samples;
    }

    /**
     * Measures how late a physics thread starts its ticks while {@value #ASKING} threads ask its world in each of their frames, or only
     * wait. Closes the world.
     */
    static void lateness(Samples samples, String name, Simulation world, boolean asks, long nanos) {
        JoltWorldSimulation jolt = world.capability(JoltWorldSimulation.class).orElseThrow();
        try (PhysicsService physics = PhysicsService.builder(world)
                .rate(SeededWorld.RATE)
                .maxReaders(ASKING)
                .with(new TickHook() {
                    @Override
                    public void published(TickTimes times) {
                        samples.add(name, (double) (times.startedNanos() - times.dueNanos()));
                    }
                })
                .start()) {
            long endNanos = physics.startedAtNanos() + nanos;
            List<CompletableFuture<Void>> threads = IntStream.range(0, ASKING)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> ask(physics, jolt, asks, endNanos), task -> new Thread(task).start()))
                    .toList();
            threads.forEach(CompletableFuture::join);
        }
    }

    private static void ask(PhysicsService physics, JoltWorldSimulation jolt, boolean asks, long endNanos) {
        Samples samples = new Samples();
        try (FrameView view = FrameView.of(physics.newReader());
                JoltQueryWorld queries =
                        physics.query(tick -> JoltQueryWorld.of(jolt, 0)).join().value()) {
            for (long nanos = System.nanoTime(); nanos - endNanos < 0; nanos = System.nanoTime()) {
                if (asks && view.advance(nanos)) {
                    queries.at(view);
                    cast(queries.system(), samples, "asked");
                }
                LockSupport.parkNanos(asks ? FRAME_NANOS : endNanos - nanos);
            }
        }
    }
}
