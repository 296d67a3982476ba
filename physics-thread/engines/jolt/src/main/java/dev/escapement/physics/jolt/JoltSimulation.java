package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.PushControls;
import dev.escapement.physics.scene.Pushable;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.BitSet;
import java.util.List;

/**
 * A pile of boxes in Jolt, in single precision, with one worker thread besides the physics thread. The same input gives
 * the same bits in every run of the same native library.
 *
 * <p><b>Contacts.</b> From the first tick on whose events are wanted, the physics thread works alone. Jolt acts on a contact, and it
 * begins here, up to 2 cm before the bodies touch. Contacts of bodies that fall asleep go on, though Jolt itself says that they
 * were removed.
 *
 * <p>Neither a step nor a capture allocates on the Java heap, but for contacts that begin while they are wanted. Native memory
 * is freed by {@link #close()}, not by the garbage collector.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(new JoltSimulation(new BoxPile(1000))).start()) {
 *     ...
 * }
 * }</pre>
 */
public final class JoltSimulation implements Simulation, Pushable, BodyStates, Restorable {

    private static final int WORKER_THREADS = 1;

    private final ContactPairs pairs = new ContactPairs();
    private final JoltWorld world;
    private final JoltBodyStates states;
    private final PushControls controls = new PushControls(this);
    // Filled again and again, because the binding's other getters allocate.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();
    private final Vec3 impulse = new Vec3();

    /** Bodies that already slept when they were captured last: they are where they were. */
    private final BitSet asleep;

    /** Bodies that slept when the step began. */
    private final BitSet asleepBefore;

    private boolean closed;

    /**
     * Builds the scene and, at the first time in a JVM, loads Jolt.
     *
     * @param pile where the boxes start
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public JoltSimulation(BoxPile pile) {
        this(pile, WORKER_THREADS);
    }

    /** With more workers the bits are the same. */
    JoltSimulation(BoxPile pile, int workerThreads) {
        world = new JoltWorld(pile, pairs, workerThreads);
        states = new JoltBodyStates(world.bodies());
        asleep = new BitSet(world.bodies().length);
        asleepBefore = new BitSet(world.bodies().length);
    }

    /**
     * Loads Jolt, as the first simulation would.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public static void load() {
        JoltNatives.load();
    }

    /**
     * Which native library computes the states: the bits of another one may be others.
     *
     * @return its coordinates, with the version
     * @throws UnsupportedPlatformException if there is none for the running platform
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return JoltLibrary.forPlatform(Platform.running()).coordinates();
    }

    @Override
    public void step(Tick tick) {
        requireOpen();
        world.listen(tick.eventsWanted());
        if (tick.eventsWanted()) {
            asleepBefore.clear();
            asleepBefore.or(asleep);
        } else {
            pairs.forget(world.bodies().length);
        }
        states.changed();
        controls.apply(tick.input(), tick.dtSeconds());
        world.update(tick.dtSeconds());
    }

    @Override
    public void capture(PoseWriter poses) {
        requireOpen();
        Body[] bodies = world.bodies();
        poses.bodyCount(bodies.length);
        for (int body = 0; body < bodies.length; body++) {
            boolean active = bodies[body].isActive();
            if (active || !asleep.get(body)) {
                capture(poses, body, bodies[body]);
            }
            asleep.set(body, !active);
        }
    }

    private void capture(PoseWriter poses, int slot, Body body) {
        body.getPositionAndRotation(position, rotation);
        poses.set(
                slot,
                position.x(),
                position.y(),
                position.z(),
                rotation.getX(),
                rotation.getY(),
                rotation.getZ(),
                rotation.getW());
    }

    @Override
    public void events(EventWriter events) {
        pairs.tell(asleepBefore, events);
    }

    @Override
    public long hash() {
        requireOpen();
        return states.hash();
    }

    @Override
    public List<String> stateComponents() {
        return JoltBodyStates.COMPONENTS;
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        requireOpen();
        states.copy(body, bits, at);
    }

    /** Allocates as many bytes as the state has, which the binding returns in an array of its own. */
    @Override
    public void save(StateBuffer to) {
        requireOpen();
        controls.save(to);
        to.put(world.save());
    }

    /** Contacts are then known as after a time in which nobody wanted them. */
    @Override
    public void restore(StateBuffer from) {
        requireOpen();
        controls.restore(from);
        states.changed();
        world.restore(from.getBytes());
        asleep.clear();
        pairs.forget(world.bodies().length);
    }

    @Override
    public int bodyCount() {
        return world.bodies().length;
    }

    @Override
    public double x(int body) {
        requireOpen();
        world.bodies()[body].getPositionAndRotation(position, rotation);
        return position.xx();
    }

    @Override
    public double z(int body) {
        requireOpen();
        world.bodies()[body].getPositionAndRotation(position, rotation);
        return position.zz();
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        requireOpen();
        states.changed();
        impulse.set((float) dvx, (float) dvy, (float) dvz);
        impulse.scaleInPlace(BoxPile.MASS_KILOGRAMS);
        // An impulse and not a velocity: it wakes a sleeping body, and needs no getter that allocates.
        world.bodyInterface().addImpulse(world.bodies()[body].getId(), impulse);
    }

    @Override
    public long inputsApplied() {
        return controls.applied();
    }

    @Override
    public void close() {
        closed = true;
        world.close();
    }

    /** Freed native objects would take the whole JVM down. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + world.bodies().length + " boxes was closed, and its native memory freed");
        }
    }
}
