package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.state.world.BodyShape;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;
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
 * A pile or a machine in ode4j, in double precision. The physics thread steps it alone. The same input gives the same bits in every run,
 * unless another thread steps another ODE world in the same JVM, because all worlds share one random number generator.
 */
final class Ode4jWorld extends EngineWorld<DBody> {

    /** The softness of all joints (CFM): the initial value that ODE's manual names. */
    private static final double CONSTRAINT_FORCE_MIXING = 1e-5;

    /** How deep resting bodies sink into each other. Without this depth, they would lose and regain their contacts from step to step. */
    private static final double SURFACE_LAYER_METRES = 0.001;

    /** The maximum speed at which overlapping boxes are pushed apart. A higher one would make them fly. */
    private static final double MAX_CORRECTING_METRES_PER_SECOND = 1;

    private static final double SLEEP_METRES_PER_SECOND = 0.05;
    private static final double SLEEP_RADIANS_PER_SECOND = 0.05;
    private static final double SLEEP_AFTER_SECONDS = 0.5;

    /** The maximum number of contacts between two boxes: the overlap of two of their faces has up to eight corners. */
    private static final int MAX_CONTACTS_PER_PAIR = 8;

    private final DWorld world;
    private final DSpace space;
    private final DJointGroup joints;
    private final Ode4jWorldSimulation simulation;
    private final DContactBuffer buffer = new DContactBuffer(MAX_CONTACTS_PER_PAIR);
    private final DGeom.DNearCallback join = (data, one, other) -> join(one, other);
    private final DQuaternion rotation = new DQuaternion();

    Ode4jWorld(Scene scene) {
        // All worlds of a JVM share the library. It is never closed, because another world may still need it.
        OdeHelper.initODE2(0);
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
            // Makes mu a coefficient of friction. Without this mode, ODE takes mu for the largest friction force in
            // newtons.
            contact.surface.mode = OdeConstants.dContactApprox1;
        }
        simulation = new Ode4jWorldSimulation(world, joints, () -> space.collide(null, join), DWorld::quickStep);
    }

    @Override
    Ode4jWorldSimulation simulation() {
        return simulation;
    }

    private DGeom geom(BodyShape.Form form, DMass mass, double kilograms) {
        if (form instanceof BodyShape.Sphere sphere) {
            mass.setSphereTotal(kilograms, sphere.radius());
            return OdeHelper.createSphere(space, sphere.radius());
        }
        if (form instanceof BodyShape.Capsule capsule) { // ODE's capsule lies along z
            mass.setCapsuleTotal(kilograms, 3, capsule.radius(), 2 * capsule.halfHeight());
            return OdeHelper.createCapsule(space, capsule.radius(), 2 * capsule.halfHeight());
        }
        BodyShape.Box box = (BodyShape.Box) form;
        mass.setBoxTotal(kilograms, 2 * box.halfX(), 2 * box.halfY(), 2 * box.halfZ());
        return OdeHelper.createBox(space, 2 * box.halfX(), 2 * box.halfY(), 2 * box.halfZ());
    }

    @Override
    @Nullable
    DBody add(Solid solid) {
        DMass mass = OdeHelper.createMass();
        DGeom geom = geom(solid.form(), mass, solid.kilograms());
        geom.setData(solid);
        geom.setCategoryBits(solid.group());
        geom.setCollideBits(solid.meets());
        if (solid.motion() == Motion.STATIC) {
            geom.setPosition(solid.x(), solid.y(), solid.z());
            return null;
        }
        DBody body = OdeHelper.createBody(world);
        if (solid.isDynamic()) {
            body.setMass(mass);
        } else {
            body.setKinematic();
        }
        body.setAutoDisableFlag(solid.isDynamic() && solid.touches());
        body.setPosition(solid.x(), solid.y(), solid.z());
        body.setQuaternion(setTurn(solid.turn()));
        geom.setBody(body);
        return body;
    }

    @Override
    void hang(DBody body, Vector3dc from) {
        DHingeJoint hinge = OdeHelper.createHingeJoint(world);
        hinge.attach(body, null);
        hinge.setAnchor(from.x(), from.y(), from.z());
        hinge.setAxis(0, 0, 1);
    }

    /**
     * Creates contact joints between two touching bodies even if both sleep. Otherwise a box that another box wakes within the step would
     * fall through the box below it.
     */
    private void join(DGeom one, DGeom other) {
        int contacts = OdeHelper.collide(one, other, MAX_CONTACTS_PER_PAIR, buffer.getGeomBuffer());
        double friction = Math.min(((Solid) one.getData()).friction(), ((Solid) other.getData()).friction());
        for (int i = 0; i < contacts; i++) {
            buffer.get(i).surface.mu = friction;
            OdeHelper.createContactJoint(world, joints, buffer.get(i)).attach(one.getBody(), other.getBody());
        }
    }

    @Override
    void free() {
        joints.destroy();
        space.destroy();
        world.destroy();
    }

    @Override
    Vector3dc position(DBody body, Vector3d to) {
        DVector3C at = body.getPosition();
        return to.set(at.get0(), at.get1(), at.get2());
    }

    @Override
    void push(DBody body, float kilograms, double dvx, double dvy, double dvz) {
        body.enable(); // a sleeping body would keep its new velocity and not move
        body.addLinearVel(dvx, dvy, dvz);
    }

    /**
     * Sets the velocity that brings a part to its position within the step. Its rotation is set at once, because ODE computes a rotation
     * only approximately from an angular velocity.
     */
    @Override
    void move(DBody part, double x, double y, double z, double turn, double dtSeconds) {
        DVector3C from = part.getPosition();
        part.setLinearVel((x - from.get0()) / dtSeconds, (y - from.get1()) / dtSeconds, (z - from.get2()) / dtSeconds);
        part.setQuaternion(setTurn(turn));
    }

    @Override
    void moveBody(DBody body, double x, double y, double z) {
        body.enable();
        body.setPosition(x, y, z);
        body.setLinearVel(0, 0, 0);
        body.setAngularVel(0, 0, 0);
    }

    private DQuaternion setTurn(double turn) {
        rotation.set(Sine.cosine(turn / 2), 0, 0, Sine.of(turn / 2));
        return rotation;
    }
}
