package dev.escapement.physics.ode4j;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.PushControls;
import dev.escapement.physics.scene.Pushable;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.BitSet;
import org.ode4j.ode.DBody;

/**
 * A pile of boxes in ode4j, in double precision, on the physics thread alone. The same input gives the same bits in every
 * run, unless another thread steps another world of ODE in the same JVM: they share a random number generator.
 *
 * <p>A contact lasts while ODE finds the bodies overlapping, asleep or awake.
 *
 * <p>A capture and the events of a tick allocate nothing; a step allocates as much as ode4j itself does.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(new Ode4jSimulation(new BoxPile(1000))).start()) {
 *     ...
 * }
 * }</pre>
 */
public final class Ode4jSimulation implements Simulation, Pushable {

    /** None: ODE looks at all pairs in every step, also at those that sleep. */
    private static final BitSet NOT_LOOKED_AT = new BitSet();

    private final ContactPairs pairs = new ContactPairs();
    private final Ode4jWorld world;
    private final DBody[] bodies;
    private final PushControls controls = new PushControls(this);

    /** Bodies that already slept when they were captured last: they are where they were. */
    private final BitSet asleep;

    /**
     * Builds the scene.
     *
     * @param pile where the boxes start
     */
    public Ode4jSimulation(BoxPile pile) {
        world = new Ode4jWorld(pile, pairs);
        bodies = world.bodies();
        asleep = new BitSet(bodies.length);
    }

    /**
     * Which ode4j computes the states: the bits of another one may be others.
     *
     * @return its version
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return OdeLibrary.VERSION;
    }

    @Override
    public void step(Tick tick) {
        world.requireOpen();
        controls.apply(tick.input(), tick.dtSeconds());
        if (!tick.eventsWanted()) {
            pairs.forget(bodies.length);
        }
        world.step(tick.dtSeconds(), tick.eventsWanted());
    }

    @Override
    public void capture(PoseWriter poses) {
        world.requireOpen();
        poses.bodyCount(bodies.length);
        for (int body = 0; body < bodies.length; body++) {
            boolean active = bodies[body].isEnabled();
            if (active || !asleep.get(body)) {
                BodyReading.writePose(bodies[body], body, poses);
            }
            asleep.set(body, !active);
        }
    }

    @Override
    public void events(EventWriter events) {
        pairs.tell(NOT_LOOKED_AT, events);
    }

    @Override
    public long hash() {
        long hash = StateHash.start();
        for (DBody body : bodies) {
            hash = BodyReading.addVelocities(BodyReading.addPose(hash, body), body);
        }
        return StateHash.finish(hash);
    }

    @Override
    public int bodyCount() {
        return bodies.length;
    }

    @Override
    public double x(int body) {
        return bodies[body].getPosition().get0();
    }

    @Override
    public double z(int body) {
        return bodies[body].getPosition().get2();
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        bodies[body].enable(); // one that sleeps would keep its new velocity and not move
        bodies[body].addLinearVel(dvx, dvy, dvz);
    }

    @Override
    public long inputsApplied() {
        return controls.applied();
    }

    @Override
    public void close() {
        world.close();
    }
}
