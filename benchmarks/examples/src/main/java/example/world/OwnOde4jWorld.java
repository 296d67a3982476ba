package example.world;

import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import org.ode4j.ode.*;

public class OwnOde4jWorld {

    static Ode4jWorldSimulation makeWorld() {
        OdeHelper.initODE2(0);
        DWorld world = OdeHelper.createWorld();
        world.setGravity(0, -9.81, 0);
        DSpace space = OdeHelper.createHashSpace();
        DJointGroup contacts = OdeHelper.createJointGroup();
        OdeHelper.createPlane(space, 0, 1, 0, 0); // the floor
        Ode4jWorldSimulation simulation = new Ode4jWorldSimulation(
                world,
                contacts,
                () -> space.collide(null, (data, one, other) -> touch(world, contacts, one, other)),
                DWorld::quickStep);
        DMass mass = OdeHelper.createMass();
        mass.setBoxTotal(100, 1, 1, 1);
        DBody previous = null; // null lets the first link hang from the world
        for (int link = 0; link < 6; link++) {
            DBody body = OdeHelper.createBody(world);
            body.setMass(mass);
            body.setPosition(1.2 * link, 9, 0);
            OdeHelper.createBox(space, 1, 1, 1).setBody(body);
            simulation.attach(body, link);
            DBallJoint joint = OdeHelper.createBallJoint(world);
            joint.attach(body, previous);
            joint.setAnchor(1.2 * link - 0.6, 9, 0);
            previous = body;
        }
        return simulation;
    }

    static void touch(DWorld world, DJointGroup contacts, DGeom one, DGeom other) {
        DContactBuffer buffer = new DContactBuffer(8);
        int count = OdeHelper.collide(one, other, 8, buffer.getGeomBuffer());
        for (int i = 0; i < count; i++) {
            buffer.get(i).surface.mode = OdeConstants.dContactApprox1;
            buffer.get(i).surface.mu = 0.5;
            DContactJoint joint = OdeHelper.createContactJoint(world, contacts, buffer.get(i));
            // ode4j does not copy the geoms into the joint. Events need them to distinguish shapes.
            joint.getContact().geom.g1 = one;
            joint.getContact().geom.g2 = other;
            joint.attach(one.getBody(), other.getBody());
        }
    }
}
