package dev.escapement.physics.ode4j;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.scene.BoxPile;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DMass;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeHelper;

/** ODE's objects for one pile of boxes on a floor. Used by one thread at a time. */
final class Ode4jWorld implements AutoCloseable {

    private static final double GRAVITY_METRES_PER_SECOND_SQUARED = -9.81;
    private static final int ITERATIONS = 20;

    /** Shares of an error that a step corrects, and softness of all joints: the values ODE's manual starts from. */
    private static final double ERROR_REDUCTION = 0.2;

    private static final double CONSTRAINT_FORCE_MIXING = 1e-5;

    /** Resting bodies sink in so far, and keep their contacts from step to step. */
    private static final double SURFACE_LAYER_METRES = 0.001;

    /** Boxes that overlap are moved apart, not shot apart. */
    private static final double MAX_CORRECTING_METRES_PER_SECOND = 1;

    private static final double SLEEP_METRES_PER_SECOND = 0.05;
    private static final double SLEEP_RADIANS_PER_SECOND = 0.05;
    private static final double SLEEP_AFTER_SECONDS = 0.5;

    private final DWorld world;
    private final DSpace space;
    private final Contacts contacts;
    private final DBody[] bodies;
    private long randomSeed;
    private boolean closed;

    Ode4jWorld(BoxPile pile, ContactPairs pairs) {
        OdeLibrary.initialize();
        world = OdeHelper.createWorld();
        world.setGravity(0, GRAVITY_METRES_PER_SECOND_SQUARED, 0);
        world.setERP(ERROR_REDUCTION);
        world.setCFM(CONSTRAINT_FORCE_MIXING);
        world.setContactSurfaceLayer(SURFACE_LAYER_METRES);
        world.setContactMaxCorrectingVel(MAX_CORRECTING_METRES_PER_SECOND);
        world.setQuickStepNumIterations(ITERATIONS);
        world.setAutoDisableFlag(true);
        world.setAutoDisableLinearThreshold(SLEEP_METRES_PER_SECOND);
        world.setAutoDisableAngularThreshold(SLEEP_RADIANS_PER_SECOND);
        world.setAutoDisableTime(SLEEP_AFTER_SECONDS);
        space = OdeHelper.createHashSpace();
        contacts = new Contacts(world, pairs);
        OdeHelper.createPlane(space, 0, 1, 0, 0);
        bodies = new DBody[pile.boxes()];
        DMass mass = OdeHelper.createMass();
        double edge = 2 * BoxPile.HALF_EXTENT;
        mass.setBoxTotal(BoxPile.MASS_KILOGRAMS, edge, edge, edge);
        pile.forEach((box, x, y, z) -> {
            DBody body = OdeHelper.createBody(world);
            body.setMass(mass);
            body.setPosition(x, y, z);
            DBox shape = OdeHelper.createBox(space, edge, edge, edge);
            shape.setBody(body);
            body.setData(box);
            bodies[box] = body;
        });
    }

    DBody[] bodies() {
        return bodies;
    }

    void step(double dtSeconds, boolean contactsWanted) {
        requireOpen();
        contacts.update(space, contactsWanted);
        // The solver shuffles its constraints with a generator that all worlds share: each world continues its own
        // sequence.
        DMisc.dRandSetSeed(randomSeed);
        boolean stepped = world.quickStep(dtSeconds);
        randomSeed = DMisc.dRandGetSeed();
        if (!stepped) {
            throw new IllegalStateException(
                    "ODE could not step " + bodies.length + " boxes by " + dtSeconds + " s: not enough memory");
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this simulation of " + bodies.length + " boxes was closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        contacts.close();
        space.destroy();
        world.destroy();
    }
}
