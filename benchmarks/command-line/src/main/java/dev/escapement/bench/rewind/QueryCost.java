package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.physics.jolt.JoltQueryWorld;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.render.History;
import dev.escapement.state.exchange.SnapshotReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What it costs to ask a world about a moment.
 *
 * @param placeNanos   all bodies, which have moved, at an instant between two ticks
 * @param rayNanos     of {@value #RAYS} rays in the world that is asked
 * @param steppedNanos of the same rays in the stepped world
 * @param offMetres    the largest distance between two hits of a ray
 */
record QueryCost(Histogram placeNanos, Histogram rayNanos, Histogram steppedNanos, double offMetres) {

    private static final int RAYS = 100;
    private static final int KEPT_TICKS = 4;
    private static final long KEPT_BYTES = 1 << 24;
    private static final float RAY_METRES = 30;
    private static final double HALF_WIDTH = 7;
    private static final long SEED = 2;

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

    /** Of a pile, which this closes. */
    static QueryCost of(JoltBodies pile, int pushes, int warmUp, int ticks) {
        JoltWorldSimulation jolt = pile.capability(JoltWorldSimulation.class).orElseThrow();
        PhysicsSystem stepped = jolt.world();
        QueryCost cost = new QueryCost(new Histogram(3), new Histogram(3), new Histogram(3), 0);
        double off = 0;
        SplittableRandom random = new SplittableRandom(SEED);
        List<RRayCast> rays = Stream.generate(() -> ray(random)).limit(RAYS).toList();
        try (SeededWorld world = new SeededWorld(pile, pushes, null);
                SnapshotReader reader = world.driver.newReader()) {
            world.run(SEED, warmUp);
            History history = new History(KEPT_TICKS, KEPT_BYTES);
            try (JoltQueryWorld queries = JoltQueryWorld.of(jolt, 1)) {
                for (int tick = -ticks; tick < ticks; tick++) {
                    world.run(SEED, world.tick() + 1);
                    reader.acquire();
                    history.add(reader.window());
                    var between = history.at(history.newestTick() - 1, random.nextInt(1, 16) / 16f);
                    long placed = RewindReport.nanos(() -> queries.at(between));
                    queries.at(history.at(history.newestTick(), 0));
                    float[] there = new float[RAYS];
                    float[] here = new float[RAYS];
                    long beside = (tick & 1) == 0 ? cast(stepped, rays, there) : 0;
                    long asked = cast(queries.system(), rays, here);
                    beside = beside == 0 ? cast(stepped, rays, there) : beside;
                    if (tick >= 0) {
                        cost.placeNanos.recordValue(placed);
                        cost.rayNanos.recordValue(asked);
                        cost.steppedNanos.recordValue(beside);
                    }
                    for (int ray = 0; ray < RAYS; ray++) {
                        off = Math.max(off, RAY_METRES * Math.abs(here[ray] - there[ray]));
                    }
                }
            }
        } finally {
            rays.forEach(RRayCast::close);
        }
        return new QueryCost(cost.placeNanos, cost.rayNanos, cost.steppedNanos, off);
    }

    /** From above the pile to a place below it. */
    private static RRayCast ray(SplittableRandom random) {
        double x = random.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        double z = random.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        float sideways = (float) random.nextDouble(-RAY_METRES / 3, RAY_METRES / 3);
        return new RRayCast(new RVec3(x, RAY_METRES / 2, z), new Vec3(sideways, -RAY_METRES, 0));
    }

    /** Casts rays, and notes how far each went. Returns how long they took. */
    private static long cast(PhysicsSystem system, List<RRayCast> rays, float[] fractions) {
        List<RayCastResult> hits = new ArrayList<>();
        rays.forEach(ray -> hits.add(new RayCastResult()));
        long beginNanos = System.nanoTime();
        try {
            Object query = (Object) QUERY.invokeExact(system);
            for (int ray = 0; ray < RAYS; ray++) {
                boolean unused = (boolean) CAST.invokeExact(query, rays.get(ray), hits.get(ray));
            }
        } catch (Throwable thrown) {
            throw new IllegalStateException("a ray could not be cast: " + thrown, thrown);
        }
        long nanos = System.nanoTime() - beginNanos;
        for (int ray = 0; ray < RAYS; ray++) {
            fractions[ray] = hits.get(ray).getFraction();
            hits.get(ray).close();
        }
        return nanos;
    }
}
