package dev.escapement.physics.bullet;

import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.PushControls;
import dev.escapement.physics.scene.Pushable;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.List;

/**
 * A pile of boxes in Bullet, in single precision, on the physics thread alone. The same input gives the same bits in every run of
 * the same native library.
 *
 * <p>Contacts and allocation are those of {@link BulletWorldSimulation}. A state cannot be saved: Bullet keeps impulses of contacts from
 * step to step, and its binding cannot put them back.
 *
 * <p>Native memory is freed after {@link #close()}, when the garbage collector has found the objects.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(new BulletSimulation(new BoxPile(1000))).start()) {
 *     ...
 * }
 * }</pre>
 */
public final class BulletSimulation implements Simulation, Pushable, BodyStates {

    private final BulletWorld world;
    private final PhysicsRigidBody[] bodies;
    private final BulletWorldSimulation simulation;
    private final BulletBodyStates states;
    private final PushControls controls = new PushControls(this);
    // Filled again and again, because the binding's getters allocate otherwise.
    private final Vector3f vector = new Vector3f();
    private boolean closed;

    /**
     * Builds the scene and, at the first time in a JVM, loads Bullet.
     *
     * @param pile where the boxes start
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public BulletSimulation(BoxPile pile) {
        world = new BulletWorld(pile);
        bodies = world.bodies();
        simulation = new BulletWorldSimulation(world.space());
        states = new BulletBodyStates(bodies);
        for (int box = 0; box < bodies.length; box++) {
            simulation.attach(bodies[box], box);
        }
    }

    /**
     * Loads Bullet, as the first simulation would.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public static void load() {
        BulletNatives.load();
    }

    /**
     * Which native library computes the states: the bits of another one may be others.
     *
     * @return its coordinates, with the version
     * @throws UnsupportedPlatformException if there is none for the running platform
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return BulletLibrary.forPlatform(Platform.running()).coordinates();
    }

    @Override
    public void begin() {
        simulation.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        requireOpen();
        states.changed();
        controls.apply(tick.input(), tick.dtSeconds());
        simulation.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) {
        requireOpen();
        simulation.capture(poses);
    }

    @Override
    public void events(EventWriter events) {
        simulation.events(events);
    }

    @Override
    public long hash() {
        requireOpen();
        return states.hash();
    }

    @Override
    public List<String> stateComponents() {
        return BulletBodyStates.COMPONENTS;
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        requireOpen();
        states.copy(body, bits, at);
    }

    @Override
    public int bodyCount() {
        return bodies.length;
    }

    @Override
    public double x(int body) {
        return bodies[body].getPhysicsLocation(vector).x;
    }

    @Override
    public double z(int body) {
        return bodies[body].getPhysicsLocation(vector).z;
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        requireOpen();
        states.changed();
        vector.set((float) dvx, (float) dvy, (float) dvz).multLocal(BoxPile.MASS_KILOGRAMS);
        bodies[body].applyCentralImpulse(vector); // wakes it
    }

    @Override
    public long inputsApplied() {
        return controls.applied();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            simulation.close();
            world.close();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this simulation of " + bodies.length + " boxes was closed");
        }
    }
}
