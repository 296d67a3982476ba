package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.jme3.bounding.BoundingBox;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CapsuleCollisionShape;
import com.jme3.bullet.collision.shapes.CollisionShape;
import com.jme3.bullet.collision.shapes.CompoundCollisionShape;
import com.jme3.bullet.collision.shapes.HullCollisionShape;
import com.jme3.bullet.collision.shapes.SphereCollisionShape;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import org.junit.jupiter.api.Test;

class BulletToolsTest extends ExistingWorldToolsContract<PhysicsSpace, PhysicsRigidBody>
        implements BulletContractsTest.Worlds {

    @Test
    void shouldReportBoxesBallsAndCapsulesAsWhatTheyAre() {
        assertThat(shape(new BoxCollisionShape(1, 2, 3), 0.1)).isEqualTo(new BodyShape.Box(1, 2, 3));
        assertThat(shape(new SphereCollisionShape(0.7f), 0.1)).isEqualTo(new BodyShape.Sphere(0.7f));
        assertThat(shape(new CapsuleCollisionShape(0.3f, 3), 0.1)).isEqualTo(new BodyShape.Capsule(0.3f, 1.5f));
    }

    @Test
    void shouldReportScaledShapes() {
        BoxCollisionShape box = new BoxCollisionShape(1, 2, 3);
        box.setScale(new Vector3f(2, 1, 0.5f));
        assertThat(shape(box, 0.1)).isEqualTo(new BodyShape.Box(2, 2, 1.5f));
        SphereCollisionShape ball = new SphereCollisionShape(0.5f);
        ball.setScale(3);
        assertThat(shape(ball, 0.1)).isEqualTo(new BodyShape.Sphere(1.5f));
        CapsuleCollisionShape capsule = new CapsuleCollisionShape(0.25f, 3);
        capsule.setScale(2);
        assertThat(shape(capsule, 0.1)).isEqualTo(new BodyShape.Capsule(0.5f, 3));
    }

    @Test
    void shouldReportOthersAsTriangles() {
        TriangleMesh lying = mesh(new CapsuleCollisionShape(0.3f, 3, PhysicsSpace.AXIS_Z), 0.1);
        assertThat(ShapeMeasures.bounds(lying, 0, 0, 0, 0, 0, 0, 1)[5]).isCloseTo(1.8, within(0.05));
        TriangleMesh hull = mesh(new HullCollisionShape(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1), 0.2);
        assertThat(ShapeMeasures.bounds(hull, 0, 0, 0, 0, 0, 0, 1))
                .as("with Bullet's margin")
                .containsExactly(new double[] {0, 0, 0, 3, 2, 1}, within(0.1));
        CompoundCollisionShape compound = new CompoundCollisionShape();
        compound.addChildShape(new BoxCollisionShape(1), 2, 0, 0);
        compound.addChildShape(new BoxCollisionShape(0.5f, 1, 1), -1, 3, 0);
        assertThat(ShapeMeasures.volume(mesh(compound, 0.1))).isCloseTo(8 + 4, within(0.5));
    }

    private TriangleMesh mesh(CollisionShape shape, double toleranceMetres) {
        TriangleMesh mesh = (TriangleMesh) shape(shape, toleranceMetres);
        assertThat(ShapeMeasures.volume(mesh)).as("not inside out").isPositive();
        return mesh;
    }

    private BodyShape.Form shape(CollisionShape shape, double toleranceMetres) {
        PhysicsRigidBody body = new PhysicsRigidBody(shape, 10);
        body.setPhysicsLocation(new Vector3f(3, 40, 5));
        body.setPhysicsRotation(new Quaternion(0.5f, 0.5f, 0.5f, 0.5f));
        game.world().addCollisionObject(body);
        BodyShape reported = reported(body);
        BoundingBox box = body.boundingBox(null);
        Vector3f least = box.getMin(null);
        Vector3f greatest = box.getMax(null);
        double[] bounds = {least.x, least.y, least.z, greatest.x, greatest.y, greatest.z};
        assertThat(ShapeMeasures.bounds(reported.form(), game.pose(body)))
                .containsExactly(bounds, within(toleranceMetres)); // Bullet's boxes have a margin
        return reported.form();
    }
}
