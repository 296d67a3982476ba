package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.RayTestFlag;
import com.jme3.bullet.collision.PhysicsCollisionObject;
import com.jme3.bullet.collision.PhysicsRayTestResult;
import com.jme3.bullet.collision.PhysicsSweepTestResult;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.CompoundCollisionShape;
import com.jme3.bullet.collision.shapes.HullCollisionShape;
import com.jme3.bullet.collision.shapes.MeshCollisionShape;
import com.jme3.bullet.collision.shapes.SphereCollisionShape;
import com.jme3.bullet.collision.shapes.infos.IndexedMesh;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsGhostObject;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.jme3.math.Transform;
import com.jme3.math.Vector3f;
import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class BulletQueriedGame extends BulletGameWorld implements QueriedGame<PhysicsSpace, PhysicsRigidBody> {

    BulletQueriedGame() {
        world().setRayTestFlags(RayTestFlag.GjkRaytest);
    }

    @Override
    public boolean isFlat() {
        return false;
    }

    static CollisionShape shape(Kind kind) {
        return switch (kind) {
            case BOX -> new BoxCollisionShape(0.5f);
            case BALL -> new SphereCollisionShape(0.4f);
            case HULL -> new HullCollisionShape(-0.5f, -0.5f, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.7f);
            case COMPOUND -> {
                CompoundCollisionShape parts = new CompoundCollisionShape();
                parts.addChildShape(new BoxCollisionShape(0.6f, 0.2f, 0.3f), 1, 0, 0);
                parts.addChildShape(new SphereCollisionShape(0.5f), 0, 0.3f, 0);
                yield parts;
            }
            case MESH -> new MeshCollisionShape(true, mesh());
        };
    }

    static IndexedMesh mesh() {
        Vector3f[] corners = {
            new Vector3f(-2, 0, -2), new Vector3f(0, 0, 2), new Vector3f(2, 0, -2), new Vector3f(0, 3, 2)
        };
        return new IndexedMesh(corners, new int[] {0, 1, 2, 1, 3, 2});
    }

    @Override
    public PhysicsRigidBody addForm(Kind kind, double[] pose) {
        PhysicsRigidBody body = new PhysicsRigidBody(shape(kind), kind == Kind.MESH ? PhysicsBody.massForStatic : 10);
        body.setPhysicsLocation(at(pose));
        body.setPhysicsRotation(turned(pose));
        world().addCollisionObject(body);
        return body;
    }

    private static Vector3f at(double[] pose) {
        return new Vector3f((float) pose[0], (float) pose[1], (float) pose[2]);
    }

    private static Vector3f end(double[] from, double[] way) {
        return new Vector3f((float) (from[0] + way[0]), (float) (from[1] + way[1]), (float) (from[2] + way[2]));
    }

    private static Quaternion turned(double[] pose) {
        return new Quaternion((float) pose[3], (float) pose[4], (float) pose[5], (float) pose[6]);
    }

    /** Takes the body out of the space meanwhile, because Bullet keeps what it knows of two shapes that touch. */
    @Override
    public boolean reform(PhysicsRigidBody body, Kind kind) {
        world().removeCollisionObject(body);
        body.setCollisionShape(shape(kind));
        world().addCollisionObject(body);
        return true;
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        for (PhysicsRayTestResult result : world().rayTest(at(from), end(from, way))) {
            return new Hit(result.getCollisionObject(), result.getHitFraction());
        }
        return Hit.NONE;
    }

    private static BoxCollisionShape shape(Form form) {
        BodyShape.Box box = (BodyShape.Box) form;
        BoxCollisionShape shape = new BoxCollisionShape(box.halfX(), box.halfY(), box.halfZ());
        shape.setMargin(BulletQueries.MARGIN_METRES);
        return shape;
    }

    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        PhysicsGhostObject probe = new PhysicsGhostObject(shape(form));
        probe.setPhysicsLocation(at(pose));
        probe.setPhysicsRotation(turned(pose));
        Set<Object> found = new HashSet<>();
        world().contactTest(probe, event -> {
            PhysicsCollisionObject one = event.getObjectA();
            found.add(one == probe ? event.getObjectB() : one);
        });
        return found;
    }

    @Override
    public Hit sweep(Form form, double[] pose, double[] way) {
        Transform start = new Transform(at(pose), turned(pose));
        Transform end = new Transform(end(pose, way), turned(pose));
        List<PhysicsSweepTestResult> results = new ArrayList<>();
        Hit first = Hit.NONE;
        for (PhysicsSweepTestResult result : world().sweepTest(shape(form), start, end, results, 0)) {
            if (result.getHitFraction() < first.fraction()) {
                first = new Hit(result.getCollisionObject(), result.getHitFraction());
            }
        }
        return first;
    }
}
