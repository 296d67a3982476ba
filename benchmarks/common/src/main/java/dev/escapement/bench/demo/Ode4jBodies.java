package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.state.world.BodyShape;
import org.joml.Vector3dc;
import org.ode4j.math.DQuaternion;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContact;
import org.ode4j.ode.DContactBuffer;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DHingeJoint;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DMass;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeConstants;
import org.ode4j.ode.OdeHelper;

/**
 * A pile or a machine in ode4j, in double precision, on the physics thread alone. The same input gives the same bits in every run, unless
 * another thread steps another world of ODE in the same JVM: they share a random number generator.
 */
public final class Ode4jBodies extends EngineBodies<DBody> {

    private final DQuaternion rotation = new DQuaternion();

    /** Builds the world. */
    public Ode4jBodies(Scene scene) {
        this(scene, new World(scene));
    }

    private Ode4jBodies(Scene scene, World world) {
        super(
                new Ode4jWorldSimulation(world.world, world.joints, world::joinContacts, DWorld::quickStep),
                scene,
                world.made,
                world::free);
    }

    @Override
    public Vector3dc position(int body) {
        DVector3C at = body(body).getPosition();
        return place.set(at.get0(), at.get1(), at.get2());
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        body(body).enable(); // a sleeping body would keep its new velocity and not move
        body(body).addLinearVel(dvx, dvy, dvz);
    }

    /** The step moves it by its velocity; its turn is set at once, because ODE turns bodies by an approximation. */
    @Override
    void move(int part, double x, double y, double z, double turn, double dtSeconds) {
        DBody moved = part(part);
        DVector3C from = moved.getPosition();
        moved.setLinearVel((x - from.get0()) / dtSeconds, (y - from.get1()) / dtSeconds, (z - from.get2()) / dtSeconds);
        moved.setQuaternion(World.setTurn(rotation, turn));
    }

    @Override
    void moveBody(int body, double x, double y, double z) {
        DBody moved = body(body);
        moved.enable();
        moved.setPosition(x, y, z);
        moved.setLinearVel(0, 0, 0);
        moved.setAngularVel(0, 0, 0);
    }

    /** ODE's objects for a scene. */
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

        /** Bits of the collision filter: what moves, and what only that collides with. */
        private static final long MOVING = 1;

        private static final long MET = 2;

        final DWorld world;
        final DSpace space;
        final DJointGroup joints;
        final Made<DBody> made = new Made<>();
        private final DContactBuffer buffer = new DContactBuffer(MAX_CONTACTS_PER_PAIR);
        private final DGeom.DNearCallback join = (data, one, other) -> join(one, other);

        World(Scene scene) {
            OdeHelper.initODE2(0); // shared by all worlds of a JVM; never closed, because another may still need it
            world = OdeHelper.createWorld();
            world.setGravity(0, scene.gravity(), 0);
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
            }
            scene.solids().forEach(this::add);
            Machine machine = scene.machine();
            if (machine != null) {
                hang(made.last(), machine.shape().hinge());
            }
        }

        private DGeom geom(BodyShape.Form form) {
            if (form instanceof BodyShape.Sphere sphere) {
                return OdeHelper.createSphere(space, sphere.radius());
            }
            if (form instanceof BodyShape.Capsule capsule) { // lies along z
                return OdeHelper.createCapsule(space, capsule.radius(), 2 * capsule.halfHeight());
            }
            BodyShape.Box box = (BodyShape.Box) form;
            return OdeHelper.createBox(space, 2 * box.halfX(), 2 * box.halfY(), 2 * box.halfZ());
        }

        private static DMass mass(BodyShape.Form form, double kilograms) {
            DMass mass = OdeHelper.createMass();
            if (form instanceof BodyShape.Sphere sphere) {
                mass.setSphereTotal(kilograms, sphere.radius());
            } else if (form instanceof BodyShape.Capsule capsule) {
                mass.setCapsuleTotal(kilograms, 3, capsule.radius(), 2 * capsule.halfHeight());
            } else {
                BodyShape.Box box = (BodyShape.Box) form;
                mass.setBoxTotal(kilograms, 2 * box.halfX(), 2 * box.halfY(), 2 * box.halfZ());
            }
            return mass;
        }

        private void add(Solid solid) {
            boolean isDynamic = solid.motion() == Motion.DYNAMIC;
            DGeom geom = geom(solid.form());
            geom.setData(solid);
            geom.setCategoryBits(!solid.touches() ? 0 : isDynamic ? MOVING : MET);
            geom.setCollideBits(!solid.touches() ? 0 : isDynamic ? MOVING | MET : MOVING);
            if (solid.motion() == Motion.STATIC) {
                geom.setPosition(solid.x(), solid.y(), solid.z());
                return;
            }
            DBody body = OdeHelper.createBody(world);
            if (isDynamic) {
                body.setMass(mass(solid.form(), solid.kilograms()));
            } else {
                body.setKinematic();
            }
            body.setAutoDisableFlag(isDynamic && solid.touches());
            body.setPosition(solid.x(), solid.y(), solid.z());
            body.setQuaternion(setTurn(new DQuaternion(), solid.turn()));
            geom.setBody(body);
            made.add(solid, body);
        }

        /** Hangs a body from a hinge that turns about z. */
        private void hang(DBody body, Vector3dc from) {
            DHingeJoint hinge = OdeHelper.createHingeJoint(world);
            hinge.attach(body, null);
            hinge.setAnchor(from.x(), from.y(), from.z());
            hinge.setAxis(0, 0, 1);
        }

        void joinContacts() {
            space.collide(null, join);
        }

        /** Sleeping pairs too: a box that another one wakes within the step must not fall through the one below. */
        private void join(DGeom one, DGeom other) {
            int contacts = OdeHelper.collide(one, other, MAX_CONTACTS_PER_PAIR, buffer.getGeomBuffer());
            double friction = Math.min(((Solid) one.getData()).friction(), ((Solid) other.getData()).friction());
            for (int i = 0; i < contacts; i++) {
                buffer.get(i).surface.mu = friction;
                OdeHelper.createContactJoint(world, joints, buffer.get(i)).attach(one.getBody(), other.getBody());
            }
        }

        void free() {
            joints.destroy();
            space.destroy();
            world.destroy();
        }

        static DQuaternion setTurn(DQuaternion rotation, double turn) {
            rotation.set(StrictMath.cos(turn / 2), 0, 0, StrictMath.sin(turn / 2));
            return rotation;
        }
    }
}
