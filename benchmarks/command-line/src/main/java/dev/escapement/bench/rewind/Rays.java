package dev.escapement.bench.rewind;

import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Vec3;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Rays from above bodies to places below them, the same in each run. One thread. */
final class Rays implements AutoCloseable {

    static final int COUNT = 100;
    private static final float METRES = 30;
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

    private final List<RRayCast> rays;

    Rays() {
        SplittableRandom random = new SplittableRandom(SEED);
        rays = Stream.generate(() -> ray(random)).limit(COUNT).toList();
    }

    private static RRayCast ray(SplittableRandom random) {
        double x = random.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        double z = random.nextDouble(-HALF_WIDTH, HALF_WIDTH);
        float sideways = (float) random.nextDouble(-METRES / 3, METRES / 3);
        return new RRayCast(new RVec3(x, METRES / 2, z), new Vec3(sideways, -METRES, 0));
    }

    /** Casts them, and notes how far each went, in metres. Returns how long that took. */
    long cast(PhysicsSystem system, double[] metres) {
        List<RayCastResult> hits =
                Stream.generate(RayCastResult::new).limit(COUNT).toList();
        long beginNanos = System.nanoTime();
        try {
            Object query = (Object) QUERY.invokeExact(system);
            for (int ray = 0; ray < COUNT; ray++) {
                boolean unused = (boolean) CAST.invokeExact(query, rays.get(ray), hits.get(ray));
            }
        } catch (Throwable thrown) {
            throw new IllegalStateException("a ray could not be cast: " + thrown, thrown);
        }
        long nanos = System.nanoTime() - beginNanos;
        Arrays.setAll(metres, ray -> METRES * hits.get(ray).getFraction());
        hits.forEach(RayCastResult::close);
        return nanos;
    }

    @Override
    public void close() {
        rays.forEach(RRayCast::close);
    }
}
