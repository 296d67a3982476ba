package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CompoundCollisionShape;
import com.jme3.bullet.joints.Point2PointJoint;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import dev.escapement.physics.world.GameWorld;
import org.jspecify.annotations.Nullable;

class BulletGameWorld implements GameWorld<PhysicsSpace, PhysicsRigidBody> {

    private final UnboundPhysicsSpace space;

    BulletGameWorld() {
        BulletNatives.load();
        space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(50, 1, 50), PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.addCollisionObject(floor);
    }

    @Override
    public PhysicsSpace world() {
        return space;
    }

    @Override
    public PhysicsRigidBody addPlatform(double x, double y) {
        PhysicsRigidBody platform = addShaped(x, y, 0, 0, 4, 0.25);
        // After the place is set, because the distance from the origin would count as a velocity.
        platform.setKinematic(true);
        return platform;
    }

    @Override
    public void remove(PhysicsRigidBody body) {
        space.removeCollisionObject(body);
    }

    @Override
    public void setVelocity(PhysicsRigidBody body, double vx, double vy) {
        body.setLinearVelocity(location(vx, vy));
    }

    @Override
    public boolean spin(PhysicsRigidBody body, double wx, double wy, double wz) {
        body.setAngularVelocity(new Vector3f((float) wx, (float) wy, (float) wz));
        return false;
    }

    @Override
    public void turn(PhysicsRigidBody body, double angle) {
        body.setPhysicsRotation(new Quaternion(0, 0, (float) Math.sin(angle / 2), (float) Math.cos(angle / 2)));
    }

    @Override
    public void place(PhysicsRigidBody body, double x, double y) {
        body.setPhysicsLocation(location(x, y));
    }

    /** Call this before the bodies rotate, because it takes a pivot's offset along the axes of the world for the offset in the body. */
    @Override
    public boolean join(PhysicsRigidBody body, @Nullable PhysicsRigidBody other, double x, double y) {
        Vector3f at = location(x, y).subtractLocal(body.getPhysicsLocation(null));
        space.addJoint(
                other == null
                        ? new Point2PointJoint(body, at)
                        : new Point2PointJoint(
                                body, other, at, location(x, y).subtractLocal(other.getPhysicsLocation(null))));
        return true;
    }

    @Override
    public PhysicsRigidBody addFixed(double x, double y, double... boxes) {
        return add(x, y, PhysicsBody.massForStatic, boxes);
    }

    @Override
    public PhysicsRigidBody addShaped(double x, double y, double... boxes) {
        return add(x, y, 10, boxes);
    }

    private PhysicsRigidBody add(double x, double y, float kilograms, double... boxes) {
        CompoundCollisionShape shape = new CompoundCollisionShape();
        BoxCollisionShape box = null;
        for (int i = 0; i < boxes.length; i += 4) {
            box = new BoxCollisionShape((float) boxes[i + 2], (float) boxes[i + 3], 0.5f);
            shape.addChildShape(box, location(boxes[i], boxes[i + 1]));
        }
        PhysicsRigidBody body = new PhysicsRigidBody(boxes.length == 4 ? box : shape, kilograms);
        body.setPhysicsLocation(location(x, y));
        space.addCollisionObject(body);
        return body;
    }

    @Override
    public boolean setSensor(PhysicsRigidBody body, boolean isSensor) {
        body.setContactResponse(!isSensor);
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        space.update((float) dtSeconds, 0);
    }

    @Override
    public double[] pose(PhysicsRigidBody body) {
        Vector3f position = body.getPhysicsLocation(null);
        Quaternion rotation = body.getPhysicsRotation(null);
        return new double[] {
            position.x, position.y, position.z, rotation.getX(), rotation.getY(), rotation.getZ(), rotation.getW()
        };
    }

    @Override
    public boolean isAsleep(PhysicsRigidBody body) {
        return !body.isActive();
    }

    @Override
    public void close() {
        space.destroy();
    }

    private static Vector3f location(double x, double y) {
        return new Vector3f((float) x, (float) y, 0);
    }
}
