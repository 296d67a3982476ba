package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BroadPhaseLayerInterface;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.PhysicsMaterial;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.readonly.ConstBroadPhaseLayerInterface;
import com.github.stephengold.joltjni.readonly.ConstObjectLayerPairFilter;
import com.github.stephengold.joltjni.readonly.ConstObjectVsBroadPhaseLayerFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of jolt-jni whose types are not the same in all its versions, for code that is compiled once and runs with each of them. They
 * are made by reflection, which is slow: call them when a world is made. A game that has one version of jolt-jni does not need them.
 *
 * <pre>{@code
 * BroadPhaseLayerInterface layers = JoltBinding.layers(STATIC_TREE, MOVING_TREE, MOVING_TREE);
 * PhysicsSystem system = new PhysicsSystem();
 * JoltBinding.init(system, 1000, 0, 4096, 4096, layers, treeFilter, pairFilter);
 * BodyInterface bodies = JoltBinding.bodyInterfaceNoLock(system);
 * }</pre>
 *
 * <p>The calling thread is one that may touch the system. A version that lacks a call is named in an {@link IllegalStateException}.
 *
 * @see JoltNatives#load()
 */
public final class JoltBinding {

    /** The versions with which what is called here was compared. All others are reported when the native library is loaded. */
    public static final List<String> KNOWN_VERSIONS = List.of(
            "0.9.9", "0.9.10", "1.0.0", "2.0.0", "2.0.1", "2.1.0", "2.2.0", "3.0.0", "3.0.1", "3.1.0", "3.2.0", "3.3.0",
            "3.4.0", "3.5.0", "3.5.1", "3.5.2", "3.6.0", "3.7.0", "3.8.0", "3.9.0", "3.10.0", "4.0.0", "4.0.1", "4.1.0",
            "4.2.0", "4.3.0", "5.0.0", "5.1.0", "5.2.0", "6.0.0");

    private static final String RANGE = KNOWN_VERSIONS.get(0) + " to " + KNOWN_VERSIONS.get(KNOWN_VERSIONS.size() - 1);

    private static final String PACKAGE = "com.github.stephengold.joltjni.";

    private JoltBinding() {}

    /**
     * {@return the body interface that takes no locks} Its type is more specific since 3.7.0.
     *
     * @param system a system
     * @throws IllegalStateException if the binding has no such method
     */
    public static BodyInterface bodyInterfaceNoLock(PhysicsSystem system) {
        Object bodyInterface = called(
                "PhysicsSystem.getBodyInterfaceNoLock",
                () -> PhysicsSystem.class.getMethod("getBodyInterfaceNoLock").invoke(system));
        return (BodyInterface) Objects.requireNonNull(bodyInterface);
    }

    /**
     * {@return a table of layers, which must not be closed before the systems that use it} Its class has another name since 0.9.10.
     *
     * @param broadPhaseLayers for each layer of objects its layer of the broad phase
     * @throws IllegalStateException if the binding has no such class
     */
    public static BroadPhaseLayerInterface layers(int... broadPhaseLayers) {
        int count = 0;
        for (int layer : broadPhaseLayers) {
            count = Math.max(count, layer + 1);
        }
        int broadPhaseCount = count;
        Object made = called("BroadPhaseLayerInterfaceTable", () -> {
            boolean renamed = isPresent("BroadPhaseLayerInterfaceTable");
            Class<?> type = Class.forName(PACKAGE + (renamed ? "BroadPhaseLayerInterfaceTable" : "MapObj2Bp"));
            Object table =
                    type.getConstructor(int.class, int.class).newInstance(broadPhaseLayers.length, broadPhaseCount);
            Method map = type.getMethod(renamed ? "mapObjectToBroadPhaseLayer" : "add", int.class, int.class);
            for (int layer = 0; layer < broadPhaseLayers.length; layer++) {
                map.invoke(table, layer, broadPhaseLayers[layer]);
            }
            return table;
        });
        return (BroadPhaseLayerInterface) Objects.requireNonNull(made);
    }

    /**
     * Initialises a system. The method returns the system since 2.2.0.
     *
     * @param system                the system
     * @param maxBodies             how many bodies it can have
     * @param bodyMutexes           how many mutexes protect them, 0 for Jolt's own choice
     * @param maxBodyPairs          how many pairs of bodies a step can have that may touch
     * @param maxContactConstraints how many pairs of bodies a step can have that touch
     * @param layers                see {@link #layers}
     * @param broadPhaseFilter      which layers of objects collide with which of the broad phase
     * @param pairFilter            which layers of objects collide with each other
     * @throws IllegalStateException if the binding has no such method
     */
    public static void init(
            PhysicsSystem system,
            int maxBodies,
            int bodyMutexes,
            int maxBodyPairs,
            int maxContactConstraints,
            ConstBroadPhaseLayerInterface layers,
            ConstObjectVsBroadPhaseLayerFilter broadPhaseFilter,
            ConstObjectLayerPairFilter pairFilter) {
        called(
                "PhysicsSystem.init",
                () -> PhysicsSystem.class
                        .getMethod(
                                "init",
                                int.class,
                                int.class,
                                int.class,
                                int.class,
                                ConstBroadPhaseLayerInterface.class,
                                ConstObjectVsBroadPhaseLayerFilter.class,
                                ConstObjectLayerPairFilter.class)
                        .invoke(
                                system,
                                maxBodies,
                                bodyMutexes,
                                maxBodyPairs,
                                maxContactConstraints,
                                layers,
                                broadPhaseFilter,
                                pairFilter));
    }

    /**
     * A system without bodies that has the layers and filters of another one, whose getters have other names since 3.0.0. It has no step
     * listeners.
     */
    static PhysicsSystem emptyLike(PhysicsSystem other, int maxBodies) {
        PhysicsSystem system = new PhysicsSystem();
        try {
            init(
                    system,
                    maxBodies,
                    0,
                    1,
                    1,
                    other.getBroadPhaseLayerInterface(),
                    (ConstObjectVsBroadPhaseLayerFilter)
                            filter(other, "getObjectVsBroadPhaseLayerFilter", "getOvbFilter"),
                    layerFilter(other));
            forget(system);
            return system;
        } catch (Throwable thrown) {
            system.close();
            throw thrown;
        }
    }

    /**
     * Since 2.1.0 the binding keeps each system in a map, for its step listeners, until it is told to forget it. Call this on the thread that
     * has made the system, because that map is for one thread.
     */
    private static void forget(PhysicsSystem system) {
        Stream.of(PhysicsSystem.class.getMethods())
                .filter(method -> method.getName().equals("forgetMe"))
                .forEach(method -> called("PhysicsSystem.forgetMe", () -> method.invoke(system)));
    }

    /** Which layers of objects collide with each other. */
    static ConstObjectLayerPairFilter layerFilter(PhysicsSystem system) {
        return (ConstObjectLayerPairFilter) filter(system, "getObjectLayerPairFilter", "getOvoFilter");
    }

    private static Object filter(PhysicsSystem system, String name, String nameBefore) {
        boolean renamed = Stream.of(PhysicsSystem.class.getMethods())
                .anyMatch(method -> method.getName().equals(name));
        String known = renamed ? name : nameBefore;
        Object filter = called(
                "PhysicsSystem." + known,
                () -> PhysicsSystem.class.getMethod(known).invoke(system));
        return Objects.requireNonNull(filter, "a system has filters after its init");
    }

    /** A body by its id, without a lock. What is passed on to get it has more specific types since 3.0.0. */
    static Body body(PhysicsSystem system, int id) {
        Object body = called("BodyLockWrite", () -> {
            Object locks =
                    PhysicsSystem.class.getMethod("getBodyLockInterfaceNoLock").invoke(system);
            Class<?> type = Class.forName(PACKAGE + "BodyLockWrite");
            try (JoltPhysicsObject lock = (JoltPhysicsObject) type.getConstructors()[0].newInstance(locks, id)) {
                return type.getMethod("getBody").invoke(lock);
            }
        });
        return (Body) Objects.requireNonNull(body);
    }

    /** Whether a system can have several contact listeners: since 3.2.0. */
    static boolean hasListenerLists() {
        return isPresent("ContactListenerList");
    }

    /** A list of contact listeners with a new one at its end: the present listener, if it is one, or a new list with it. */
    static ContactListener listed(ContactListener present, ContactListener added) {
        Object made = called("ContactListenerList", () -> {
            Class<?> type = Class.forName(PACKAGE + "ContactListenerList");
            Method append = type.getMethod("pushBack", ContactListener.class);
            Object list = present;
            if (!type.isInstance(present)) {
                list = type.getConstructor().newInstance();
                append.invoke(list, present);
            }
            append.invoke(list, added);
            return list;
        });
        return (ContactListener) Objects.requireNonNull(made);
    }

    private static boolean isPresent(String name) {
        try {
            Class.forName(PACKAGE + name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Whether Jolt's types are registered: only then has it a default material. */
    static boolean hasTypes() {
        Object address = called("PhysicsMaterial.sDefault", () -> {
            Method sDefault = PhysicsMaterial.class.getDeclaredMethod("sDefault", boolean.class);
            sDefault.setAccessible(true); // the public one fails an assertion where there is none
            return sDefault.invoke(null, true);
        });
        return !Long.valueOf(0).equals(address);
    }

    interface Call {
        @Nullable
        Object make() throws ReflectiveOperationException;
    }

    /** Makes a call by reflection. If the binding lacks it, throws an exception that says so in one line. */
    static @Nullable Object called(String name, Call call) {
        try {
            return call.make();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof UnsatisfiedLinkError missing) {
                throw new IllegalStateException(
                        name
                                + " needs the native library of jolt-jni; call JoltNatives.load() before you make the first"
                                + " object of Jolt",
                        missing);
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(
                    name + " of jolt-jni " + Jolt.versionString() + " has failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "jolt-jni " + Jolt.versionString() + " has no " + name + " as it is called here; use one of "
                            + RANGE,
                    e);
        }
    }

    /** Logs a line about a version of the binding that is not known. */
    static void reportUnknown(String version) {
        if (!KNOWN_VERSIONS.contains(version)) {
            System.getLogger("dev.escapement.physics")
                    .log(
                            System.Logger.Level.WARNING,
                            "jolt-jni " + version + " is not known here, and may lack what is called; known are "
                                    + RANGE);
        }
    }
}
