package example.world;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.joints.Point2PointJoint;
import com.jme3.bullet.objects.*;
import com.jme3.math.Vector3f;
import dev.escapement.physics.bullet.*;

public class OwnBulletWorld {

    static BulletWorldSimulation makeWorld() {
        BulletNatives.load(); // must come before the first object of Bullet
        PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(8, 1, 8), PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.addCollisionObject(floor);

        PhysicsVehicle car = new PhysicsVehicle(new BoxCollisionShape(0.5f), 400);
        car.setSuspensionStiffness(50);
        for (int wheel = 0; wheel < 4; wheel++) { // front left, front right, back left, back right
            Vector3f at = new Vector3f(wheel % 2 == 0 ? 0.5f : -0.5f, -0.3f, wheel < 2 ? 0.5f : -0.5f);
            car.addWheel(at, new Vector3f(0, -1, 0), new Vector3f(-1, 0, 0), 0.3f, 0.3f, wheel < 2);
        }
        car.setPhysicsLocation(new Vector3f(0, 1, -4));
        space.addCollisionObject(car);
        car.accelerate(30);

        PhysicsRigidBody sledge = new PhysicsRigidBody(new BoxCollisionShape(0.5f), 40);
        sledge.setPhysicsLocation(new Vector3f(0, 0.6f, -5.5f));
        sledge.setFriction(0);
        space.addCollisionObject(sledge);
        space.addJoint(new Point2PointJoint(car, sledge, new Vector3f(0, -0.4f, -0.75f), new Vector3f(0, 0, 0.75f)));

        BulletWorldSimulation simulation = new BulletWorldSimulation(space);
        simulation.attach(car, 0);
        simulation.attach(sledge, 1);
        return simulation;
    }
}
