package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.BodyFilter;
import com.github.stephengold.joltjni.BroadPhaseLayerFilter;
import com.github.stephengold.joltjni.NarrowPhaseQuery;
import com.github.stephengold.joltjni.ObjectLayerFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.ShapeFilter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.FloatBuffer;

/**
 * The native queries of jolt-jni. Its public methods allocate rays, results and filters in each call, and never free the filters. The
 * native methods behind them are private, and the same in all versions that were linked.
 *
 * <p>Arguments are addresses of native objects, in the order of the native methods. One object for each thread.
 */
final class JoltQueryCalls implements AutoCloseable {

    private static final MethodHandle QUERIES = JoltCalls.find(
            MethodType.methodType(NarrowPhaseQuery.class, PhysicsSystem.class),
            "PhysicsSystem.getNarrowPhaseQueryNoLock()L~NarrowPhaseQuery;",
            "PhysicsSystem.getNarrowPhaseQueryNoLock()L~readonly/ConstNarrowPhaseQuery;"); // from 3.0.0

    private static final MethodHandle NEW_RAY = find("RRayCast.createRRayCast(DDDFFF)J");
    private static final MethodHandle FREE_RAY = find("RRayCast.free(J)V");
    private static final MethodHandle NEW_RESULT = find("RayCastResult.createRayCastResult()J");
    private static final MethodHandle FREE_RESULT = find("BroadPhaseCastResult.free(J)V");
    private static final MethodHandle CAST_RAY = find("NarrowPhaseQuery.castRay(JJJJJJ)Z");
    private static final MethodHandle COLLECT_RAY = find("NarrowPhaseQuery.castRay(JJJJJJJJ)V");
    private static final MethodHandle RAY_BODY = find("BroadPhaseCastResult.getBodyId(J)I");
    private static final MethodHandle RAY_FRACTION = find("BroadPhaseCastResult.getFraction(J)F");
    private static final MethodHandle RAY_SHAPE = find("RayCastResult.getSubShapeId2(J)I");
    private static final MethodHandle NORMAL = find("Body.getWorldSpaceSurfaceNormal(JIDDDLjava/nio/FloatBuffer;)V");
    private static final MethodHandle NEW_TRANSFORM = find("RMat44.createRotationTranslation(FFFFDDD)J");
    private static final MethodHandle FREE_TRANSFORM = find("RMat44.free(J)V");
    private static final MethodHandle COLLIDE = find("NarrowPhaseQuery.collideShape(JJFFFJJDDDJJJJJ)V");
    private static final MethodHandle NEW_SWEEP = find("RShapeCast.createRShapeCastNoBounds(JFFFJFFF)J");
    private static final MethodHandle FREE_SWEEP = find("RShapeCast.free(J)V");
    private static final MethodHandle SWEEP = find("NarrowPhaseQuery.castShape(JJJDDDJJJJJ)V");

    private final BroadPhaseLayerFilter treeFilter = new BroadPhaseLayerFilter();
    private final ObjectLayerFilter layerFilter = new ObjectLayerFilter();
    private final BodyFilter bodyFilter = new BodyFilter();
    private final ShapeFilter shapeFilter = new ShapeFilter();
    private final long query;
    private final long trees = treeFilter.va();
    private final long layers = layerFilter.va();
    private final long bodies = bodyFilter.va();
    private final long shapes = shapeFilter.va();

    /** Queries a system without locks, which its only thread does not need. */
    JoltQueryCalls(PhysicsSystem system) {
        try {
            query = ((NarrowPhaseQuery) QUERIES.invokeExact(system)).va();
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Finds the native methods, by the initialization of this class. */
    static void link() {}

    private static MethodHandle find(String nativeMethod) {
        return JoltCalls.find(JoltMember.of(nativeMethod).type(JoltQueryCalls.class.getClassLoader()), nativeMethod);
    }

    static long newRay(double x, double y, double z, float wayX, float wayY, float wayZ) {
        try {
            return (long) NEW_RAY.invokeExact(x, y, z, wayX, wayY, wayZ);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static void freeRay(long ray) {
        try {
            FREE_RAY.invokeExact(ray);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static long newResult() {
        try {
            return (long) NEW_RESULT.invokeExact();
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static void freeResult(long result) {
        try {
            FREE_RESULT.invokeExact(result);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Finds the nearest hit of a ray. Returns whether there is one. */
    boolean castRay(long ray, long result) {
        try {
            return (boolean) CAST_RAY.invokeExact(query, ray, result, trees, layers, bodies);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Collects all hits of a ray. */
    void castRay(long ray, long settings, long collector) {
        try {
            COLLECT_RAY.invokeExact(query, ray, settings, collector, trees, layers, bodies, shapes);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static int rayBody(long result) {
        try {
            return (int) RAY_BODY.invokeExact(result);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static float rayFraction(long result) {
        try {
            return (float) RAY_FRACTION.invokeExact(result);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static int rayShape(long result) {
        try {
            return (int) RAY_SHAPE.invokeExact(result);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Computes the normal of a body's surface into the first three numbers of a direct buffer. */
    static void normal(long body, int shape, double x, double y, double z, FloatBuffer normal) {
        try {
            NORMAL.invokeExact(body, shape, x, y, z, normal);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static long newTransform(float qx, float qy, float qz, float qw, double x, double y, double z) {
        try {
            return (long) NEW_TRANSFORM.invokeExact(qx, qy, qz, qw, x, y, z);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static void freeTransform(long transform) {
        try {
            FREE_TRANSFORM.invokeExact(transform);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Collects the overlaps of a shape. Points are measured from x, y, z. */
    void collide(long shape, long transform, long settings, double x, double y, double z, long collector) {
        try {
            COLLIDE.invokeExact(
                    query, shape, 1f, 1f, 1f, transform, settings, x, y, z, collector, trees, layers, bodies, shapes);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static long newSweep(long shape, long start, float wayX, float wayY, float wayZ) {
        try {
            return (long) NEW_SWEEP.invokeExact(shape, 1f, 1f, 1f, start, wayX, wayY, wayZ);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    static void freeSweep(long sweep) {
        try {
            FREE_SWEEP.invokeExact(sweep);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    /** Collects the hits of a moving shape. Points are measured from x, y, z. */
    void sweep(long sweep, long settings, double x, double y, double z, long collector) {
        try {
            SWEEP.invokeExact(query, sweep, settings, x, y, z, collector, trees, layers, bodies, shapes);
        } catch (Throwable thrown) {
            throw JoltCalls.unchecked(thrown);
        }
    }

    @Override
    public void close() {
        treeFilter.close();
        layerFilter.close();
        bodyFilter.close();
        shapeFilter.close();
    }
}
