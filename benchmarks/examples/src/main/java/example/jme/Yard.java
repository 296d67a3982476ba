package example.jme;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import java.util.ArrayList;
import java.util.List;

/** The game's own physics: a floor, crates, and a platform that goes up and down. It knows nothing about threads. */
final class Yard {

    static final float PLATFORM_HALF_HEIGHT = 0.25f;
    static final float PLATFORM_HALF_WIDTH = 2;
    static final float CRATE_HALF_WIDTH = 0.5f;
    static final int TOP_CRATE = 10;

    private static final float PLATFORM_LOWEST = 0.5f;
    private static final float PLATFORM_LIFT = 2;
    private static final double PLATFORM_PERIOD_SECONDS = 4;

    final PhysicsSpace space;
    final PhysicsRigidBody platform;
    final List<PhysicsRigidBody> crates = new ArrayList<>();

    Yard(PhysicsSpace space) {
        this.space = space;
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(50, 1, 50), PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.addCollisionObject(floor);
        platform = new PhysicsRigidBody(
                new BoxCollisionShape(PLATFORM_HALF_WIDTH, PLATFORM_HALF_HEIGHT, PLATFORM_HALF_WIDTH), 10);
        platform.setKinematic(true);
        movePlatform(0);
        space.addCollisionObject(platform);
        addCrate(0, PLATFORM_LOWEST + PLATFORM_HALF_HEIGHT + CRATE_HALF_WIDTH, 0);
        for (int layer = 0; layer < TOP_CRATE; layer++) {
            addCrate(6 + 0.1f * layer, 0.5f + 1.1f * layer, 0);
        }
    }

    PhysicsRigidBody addCrate(float x, float y, float z) {
        PhysicsRigidBody crate = new PhysicsRigidBody(new BoxCollisionShape(CRATE_HALF_WIDTH), 10);
        crate.setPhysicsLocation(new Vector3f(x, y, z));
        space.addCollisionObject(crate);
        crates.add(crate);
        return crate;
    }

    void movePlatform(double seconds) {
        double part = (1 - Math.cos(2 * Math.PI * seconds / PLATFORM_PERIOD_SECONDS)) / 2;
        platform.setPhysicsLocation(new Vector3f(0, (float) (PLATFORM_LOWEST + PLATFORM_LIFT * part), 0));
    }
}
