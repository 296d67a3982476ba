package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.GameWorld;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DQuaternion;
import org.ode4j.math.DQuaternionC;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DContactBuffer;
import org.ode4j.ode.DContactJoint;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DHingeJoint;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DMass;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeConstants;
import org.ode4j.ode.OdeHelper;

/** A game of boxes in ode4j. It joins touching bodies as ODE's own demos do, and creates no joints between sleeping bodies. */
class Ode4jGame implements GameWorld<DWorld, DBody> {

    private final DWorld world;
    private final DSpace space;
    private final DJointGroup contacts;
    private final DContactBuffer buffer = new DContactBuffer(8);
    private long randomSeed;

    Ode4jGame() {
        OdeHelper.initODE2(0);
        world = OdeHelper.createWorld();
        world.setGravity(0, -9.81, 0);
        world.setAutoDisableFlag(true);
        world.setAutoDisableLinearThreshold(0.05);
        world.setAutoDisableAngularThreshold(0.05);
        world.setContactSurfaceLayer(0.001);
        world.setContactMaxCorrectingVel(1);
        world.setERP(0.2);
        world.setCFM(1e-5);
        space = OdeHelper.createHashSpace();
        contacts = OdeHelper.createJointGroup();
        OdeHelper.createPlane(space, 0, 1, 0, 0);
        for (int i = 0; i < 8; i++) {
            buffer.get(i).surface.mode = OdeConstants.dContactApprox1;
            buffer.get(i).surface.mu = 0.6;
        }
    }

    DJointGroup contacts() {
        return contacts;
    }

    DSpace space() {
        return space;
    }

    void joinContacts() {
        space.collide(null, (data, one, other) -> join(one, other));
    }

    private void join(DGeom one, DGeom other) {
        DBody body = one.getBody();
        DBody otherBody = other.getBody();
        if ((body == null || !body.isEnabled()) && (otherBody == null || !otherBody.isEnabled())) {
            return;
        }
        int count = OdeHelper.collide(one, other, 8, buffer.getGeomBuffer());
        for (int i = 0; i < count; i++) {
            DContactJoint joint = OdeHelper.createContactJoint(world, contacts, buffer.get(i));
            joint.getContact().geom.g1 = one; // set again, because ode4j loses the geoms
            joint.getContact().geom.g2 = other;
            joint.attach(body, otherBody);
        }
    }

    @Override
    public DWorld world() {
        return world;
    }

    @Override
    public DBody addPlatform(double x, double y) {
        DBody platform = addShaped(x, y, 0, 0, 4, 0.25);
        platform.setKinematic();
        platform.setAutoDisableFlag(false);
        return platform;
    }

    @Override
    public void remove(DBody body) {
        while (body.getFirstGeom() != null) {
            body.getFirstGeom().destroy();
        }
        body.destroy();
    }

    @Override
    public void setVelocity(DBody body, double vx, double vy) {
        body.enable();
        body.setLinearVel(vx, vy, 0);
    }

    @Override
    public boolean spin(DBody body, double wx, double wy, double wz) {
        body.setFiniteRotationMode(true);
        body.setAngularVel(wx, wy, wz);
        return true;
    }

    @Override
    public void turn(DBody body, double angle) {
        body.setQuaternion(new DQuaternion(Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)));
    }

    @Override
    public void place(DBody body, double x, double y) {
        body.setPosition(x, y, 0);
    }

    @Override
    public boolean join(DBody body, @Nullable DBody other, double x, double y) {
        DHingeJoint hinge = OdeHelper.createHingeJoint(world);
        hinge.attach(body, other);
        hinge.setAnchor(x, y, 0);
        hinge.setAxis(0, 0, 1);
        return true;
    }

    /** Adds a kinematic body, because in ODE a body that never moves is a geom without a body, which could not be attached. */
    @Override
    public DBody addFixed(double x, double y, double... boxes) {
        DBody body = addShaped(x, y, boxes);
        body.setKinematic();
        body.disable();
        return body;
    }

    @Override
    public DBody addShaped(double x, double y, double... boxes) {
        DBody body = OdeHelper.createBody(world);
        DMass mass = OdeHelper.createMass();
        mass.setBox(1, 1, 1, 1);
        body.setMass(mass);
        for (int i = 0; i < boxes.length; i += 4) {
            DBox box = OdeHelper.createBox(space, 2 * boxes[i + 2], 2 * boxes[i + 3], 1);
            box.setBody(body);
            box.setOffsetPosition(boxes[i], boxes[i + 1], 0);
        }
        body.setPosition(x, y, 0);
        return body;
    }

    @Override
    public boolean touchNothing(DBody body) {
        body.getGeomIterator().forEachRemaining(geom -> {
            geom.setCategoryBits(0);
            geom.setCollideBits(0);
        });
        return true;
    }

    @Override
    public boolean removeShape(DBody body) {
        body.getFirstGeom().destroy(); // the geom that was added last
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        contacts.empty();
        joinContacts();
        DMisc.dRandSetSeed(randomSeed);
        world.quickStep(dtSeconds);
        randomSeed = DMisc.dRandGetSeed();
    }

    @Override
    public double[] pose(DBody body) {
        DVector3C position = body.getPosition();
        DQuaternionC rotation = body.getQuaternion();
        return new double[] {
            position.get0(),
            position.get1(),
            position.get2(),
            rotation.get1(),
            rotation.get2(),
            rotation.get3(),
            rotation.get0()
        };
    }

    @Override
    public boolean isAsleep(DBody body) {
        return !body.isEnabled();
    }

    @Override
    public void close() {
        contacts.destroy();
        space.destroy();
        world.destroy();
    }
}
