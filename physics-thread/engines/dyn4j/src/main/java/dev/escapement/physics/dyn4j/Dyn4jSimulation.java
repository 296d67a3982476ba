package dev.escapement.physics.dyn4j;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.PushControls;
import dev.escapement.physics.scene.Pushable;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.List;
import org.dyn4j.Version;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;

/**
 * A pile of boxes in dyn4j, in two dimensions and in double precision, on the physics thread alone. The same input gives the same bits
 * in every run on the same JVM and kind of processor.
 *
 * <p>It cannot be saved and restored exactly: dyn4j starts each step from the impulses of the one before, and its tree of bounding boxes
 * depends on how bodies came to be where they are; neither can be set from outside.
 *
 * <p>What a capture and the events of a tick allocate: see {@link Dyn4jWorldSimulation}.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(new Dyn4jSimulation(new BoxPile(1000))).start()) {
 *     ...
 * }
 * }</pre>
 */
public final class Dyn4jSimulation implements Simulation, Pushable, BodyStates {

    private static final List<String> COMPONENTS = List.of(
            "position x", "position y", "rotation cos", "rotation sin", "velocity x", "velocity y", "angular velocity");

    private final Body[] bodies;
    private final Dyn4jWorldSimulation<Body> simulation;
    private final PushControls controls = new PushControls(this);
    private boolean closed;

    /**
     * Builds the scene.
     *
     * @param pile how many boxes there are; they start where {@link BoxPile#forEachInPlane} says
     */
    public Dyn4jSimulation(BoxPile pile) {
        Dyn4jPile objects = new Dyn4jPile(pile);
        bodies = objects.bodies;
        simulation = new Dyn4jWorldSimulation<>(objects.world);
        for (Body body : bodies) {
            simulation.attach(body, 0);
        }
    }

    /**
     * Which dyn4j computes the states: the bits of another one may be others.
     *
     * @return its version
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return Version.getVersion();
    }

    @Override
    public void begin() {
        simulation.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        requireOpen();
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
        return simulation.hash();
    }

    @Override
    public List<String> stateComponents() {
        return COMPONENTS;
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        Transform transform = bodies[body].getTransform();
        Vector2 velocity = bodies[body].getLinearVelocity();
        bits[at] = Double.doubleToRawLongBits(transform.getTranslationX());
        bits[at + 1] = Double.doubleToRawLongBits(transform.getTranslationY());
        bits[at + 2] = Double.doubleToRawLongBits(transform.getCost());
        bits[at + 3] = Double.doubleToRawLongBits(transform.getSint());
        bits[at + 4] = Double.doubleToRawLongBits(velocity.x);
        bits[at + 5] = Double.doubleToRawLongBits(velocity.y);
        bits[at + 6] = Double.doubleToRawLongBits(bodies[body].getAngularVelocity());
    }

    @Override
    public int bodyCount() {
        return bodies.length;
    }

    @Override
    public double x(int body) {
        return bodies[body].getTransform().getTranslationX();
    }

    /** 0: there is no depth. */
    @Override
    public double z(int body) {
        return 0;
    }

    /** Along x and y; there is no z. */
    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        bodies[body].setAtRest(false); // one that sleeps would keep its new velocity and not move
        bodies[body].getLinearVelocity().add(dvx, dvy);
    }

    @Override
    public long inputsApplied() {
        return controls.applied();
    }

    @Override
    public void close() {
        closed = true;
        simulation.close();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this simulation of " + bodies.length + " boxes was closed");
        }
    }
}
