package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BodyLockWrite;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.readonly.ConstBroadPhaseLayerInterface;
import com.github.stephengold.joltjni.readonly.ConstObjectLayerPairFilter;
import com.github.stephengold.joltjni.readonly.ConstObjectVsBroadPhaseLayerFilter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of jolt-jni whose name or types differ between the versions. All other calls are compiled against the oldest version, and link
 * to each later one, because their descriptors are the same.
 *
 * <p>Each call is a constant method handle, which costs as much as a direct call once it is compiled. A version that has none of a call's
 * variants is refused by {@link JoltNatives} before any call.
 */
final class JoltCalls {

    // The lists come first, because the initializers of the handles add to them.
    private static final List<List<String>> VARIANTS = new ArrayList<>();
    private static final List<String> MISSING = new ArrayList<>();

    private static final MethodHandle BODIES = find(
            MethodType.methodType(BodyInterface.class, PhysicsSystem.class),
            "PhysicsSystem.getBodyInterfaceNoLock()L~BodyInterface;",
            "PhysicsSystem.getBodyInterfaceNoLock()L~BatchBodyInterface;"); // from 3.7.0

    private static final String ROOM_AND_LAYERS = "(IIIIL~readonly/ConstBroadPhaseLayerInterface;"
            + "L~readonly/ConstObjectVsBroadPhaseLayerFilter;L~readonly/ConstObjectLayerPairFilter;)";

    private static final MethodHandle INIT = find(
            MethodType.methodType(
                    void.class,
                    PhysicsSystem.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class,
                    ConstBroadPhaseLayerInterface.class,
                    ConstObjectVsBroadPhaseLayerFilter.class,
                    ConstObjectLayerPairFilter.class),
            "PhysicsSystem.init" + ROOM_AND_LAYERS + "V",
            "PhysicsSystem.init" + ROOM_AND_LAYERS + "L~PhysicsSystem;"); // from 2.2.0

    private static final MethodHandle LOCKS = find(
            MethodType.methodType(Object.class, PhysicsSystem.class),
            "PhysicsSystem.getBodyLockInterfaceNoLock()L~BodyLockInterfaceNoLock;",
            "PhysicsSystem.getBodyLockInterfaceNoLock()L~readonly/ConstBodyLockInterfaceNoLock;"); // from 3.0.0

    private static final MethodHandle LOCK = MethodHandles.filterArguments(
            find(
                    MethodType.methodType(BodyLockWrite.class, Object.class, int.class),
                    "BodyLockWrite.<init>(L~BodyLockInterface;I)V",
                    "BodyLockWrite.<init>(L~readonly/ConstBodyLockInterface;I)V"), // from 3.0.0
            0,
            LOCKS);

    private static final MethodHandle BROAD_PHASE_FILTER = find(
            MethodType.methodType(ConstObjectVsBroadPhaseLayerFilter.class, PhysicsSystem.class),
            "PhysicsSystem.getOvbFilter()L~readonly/ConstObjectVsBroadPhaseLayerFilter;",
            "PhysicsSystem.getObjectVsBroadPhaseLayerFilter()" // from 3.0.0
                    + "L~readonly/ConstObjectVsBroadPhaseLayerFilter;");

    private static final MethodHandle PAIR_FILTER = find(
            MethodType.methodType(ConstObjectLayerPairFilter.class, PhysicsSystem.class),
            "PhysicsSystem.getOvoFilter()L~readonly/ConstObjectLayerPairFilter;",
            "PhysicsSystem.getObjectLayerPairFilter()L~readonly/ConstObjectLayerPairFilter;"); // from 3.0.0

    private JoltCalls() {}

    static MethodHandle find(MethodType type, String... variants) {
        VARIANTS.add(List.of(variants));
        for (String variant : variants) {
            MethodHandle found = JoltMember.of(variant).find(JoltCalls.class.getClassLoader());
            if (found != null) {
                return found.asType(type);
            }
        }
        MISSING.add(JoltMember.of(variants[0]).toString());
        return MethodHandles.empty(type);
    }

    /** Returns the calls, each as the members of which a version has one. */
    static List<List<String>> variants() {
        JoltQueryCalls.link();
        return VARIANTS;
    }

    /** Returns the calls of which the present version has no variant. */
    static List<String> missing() {
        JoltQueryCalls.link();
        return MISSING;
    }

    /** Returns the interface without locks, for the thread that alone touches the system. */
    static BodyInterface bodies(PhysicsSystem system) {
        try {
            return (BodyInterface) BODIES.invokeExact(system);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Initializes a system, with the default number of mutexes. */
    static void init(
            PhysicsSystem system,
            int maxBodies,
            int maxPairs,
            int maxContacts,
            ConstBroadPhaseLayerInterface layers,
            ConstObjectVsBroadPhaseLayerFilter broadPhaseFilter,
            ConstObjectLayerPairFilter pairFilter) {
        try {
            INIT.invokeExact(system, maxBodies, 0, maxPairs, maxContacts, layers, broadPhaseFilter, pairFilter);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Returns a body by its id, without a lock. */
    static Body body(PhysicsSystem system, int id) {
        try (BodyLockWrite lock = (BodyLockWrite) LOCK.invokeExact(system, id)) {
            return lock.getBody();
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    static ConstObjectVsBroadPhaseLayerFilter broadPhaseFilter(PhysicsSystem system) {
        try {
            return (ConstObjectVsBroadPhaseLayerFilter) BROAD_PHASE_FILTER.invokeExact(system);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    static ConstObjectLayerPairFilter pairFilter(PhysicsSystem system) {
        try {
            return (ConstObjectLayerPairFilter) PAIR_FILTER.invokeExact(system);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Throws what a call has thrown, as a direct call would. None of the calls declares a checked exception. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> RuntimeException unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
