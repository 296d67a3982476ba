package dev.escapement.bench.demo;

import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3dc;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContact;
import org.ode4j.ode.DContactBuffer;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DMass;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeConstants;
import org.ode4j.ode.OdeHelper;

/**
 * A pile of boxes in ode4j, in double precision, on the physics thread alone. The same input gives the same bits in every run, unless
 * another thread steps another world of ODE in the same JVM: they share a random number generator.
 */
public final class Ode4jPile extends EnginePile<DBody> {

    /** Builds the world. */
    public Ode4jPile(BoxPile pile) {
        this(new World(pile));
    }

    private Ode4jPile(World world) {
        super(
                new Ode4jWorldSimulation(world.world, world.joints, world::joinContacts, DWorld::quickStep),
                world.boxes,
                world::free);
    }

    @Override
    public Vector3dc position(int body) {
        DVector3C at = box(body).getPosition();
        return place.set(at.get0(), at.get1(), at.get2());
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        box(body).enable(); // a sleeping box would keep its new velocity and not move
        box(body).addLinearVel(dvx, dvy, dvz);
    }

    /** ODE's objects for the pile on a floor. */
    private static final class World {

        /** The softness of all joints: the initial value in ODE's manual. */
        private static final double CONSTRAINT_FORCE_MIXING = 1e-5;

        /** Resting bodies sink in this far, and keep their contacts from step to step. */
        private static final double SURFACE_LAYER_METRES = 0.001;

        /** Bounds the speed at which overlapping boxes separate, so that they do not fly apart. */
        private static final double MAX_CORRECTING_METRES_PER_SECOND = 1;

        private static final double SLEEP_METRES_PER_SECOND = 0.05;
        private static final double SLEEP_RADIANS_PER_SECOND = 0.05;
        private static final double SLEEP_AFTER_SECONDS = 0.5;

        /** The maximum of contacts of two boxes: the overlap of two faces is an octagon. */
        private static final int MAX_CONTACTS_PER_PAIR = 8;

        final DWorld world;
        final DSpace space;
        final DJointGroup joints;
        final List<DBody> boxes = new ArrayList<>();
        private final DContactBuffer buffer = new DContactBuffer(MAX_CONTACTS_PER_PAIR);
        private final DGeom.DNearCallback join = (data, one, other) -> join(one, other);

        World(BoxPile pile) {
            OdeHelper.initODE2(0); // shared by all worlds of a JVM; never closed, because another may still need it
            world = OdeHelper.createWorld();
            world.setGravity(0, BoxPile.GRAVITY_METRES_PER_SECOND_SQUARED, 0);
            world.setCFM(CONSTRAINT_FORCE_MIXING);
            world.setContactSurfaceLayer(SURFACE_LAYER_METRES);
            world.setContactMaxCorrectingVel(MAX_CORRECTING_METRES_PER_SECOND);
            world.setAutoDisableFlag(true);
            world.setAutoDisableLinearThreshold(SLEEP_METRES_PER_SECOND);
            world.setAutoDisableAngularThreshold(SLEEP_RADIANS_PER_SECOND);
            world.setAutoDisableTime(SLEEP_AFTER_SECONDS);
            space = OdeHelper.createHashSpace();
            joints = OdeHelper.createJointGroup();
            for (DContact contact : buffer) {
                // Without the approximation, ODE takes mu for the largest force in newtons and not for a coefficient.
                contact.surface.mode = OdeConstants.dContactApprox1;
                contact.surface.mu = BoxPile.FRICTION;
            }
            OdeHelper.createPlane(space, 0, 1, 0, 0);
            addBoxes(pile);
        }

        private void addBoxes(BoxPile pile) {
            DMass mass = OdeHelper.createMass();
            double edge = 2 * BoxPile.HALF_EXTENT;
            mass.setBoxTotal(BoxPile.MASS_KILOGRAMS, edge, edge, edge);
            for (double[] place : pile.places()) {
                DBody body = OdeHelper.createBody(world);
                body.setMass(mass);
                body.setPosition(place[0], place[1], place[2]);
                OdeHelper.createBox(space, edge, edge, edge).setBody(body);
                boxes.add(body);
            }
        }

        void joinContacts() {
            space.collide(null, join);
        }

        /** Sleeping pairs too: a box that another one wakes within the step must not fall through the one below. */
        private void join(DGeom one, DGeom other) {
            int contacts = OdeHelper.collide(one, other, MAX_CONTACTS_PER_PAIR, buffer.getGeomBuffer());
            for (int i = 0; i < contacts; i++) {
                OdeHelper.createContactJoint(world, joints, buffer.get(i)).attach(one.getBody(), other.getBody());
            }
        }

        void free() {
            joints.destroy();
            space.destroy();
            world.destroy();
        }
    }
}
