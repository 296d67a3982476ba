package dev.escapement.minie;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.collision.shapes.CapsuleCollisionShape;
import com.jme3.bullet.control.BetterCharacterControl;
import com.jme3.bullet.control.CharacterControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.bullet.control.VehicleControl;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import java.util.ArrayList;
import java.util.List;

/** A game's scene with Minie's controls, as it is before the migration: it knows nothing of Escapement. */
final class Yard {

    static final float METRES_PER_SECOND = 3;

    final Node root = new Node("root");
    final PhysicsSpace space;
    final RigidBodyControl puck;
    final VehicleControl car;
    final CharacterControl guard;
    final BetterCharacterControl hero;
    final List<String> heard = new ArrayList<>();
    long tick;

    Yard(PhysicsSpace space) {
        this.space = space;
        space.addCollisionListener(event -> heard.add(
                tick + " " + event.getNodeA().getName() + " " + event.getNodeB().getName()));
        spatial("floor", new Vector3f(0, -1, 0), new RigidBodyControl(new BoxCollisionShape(200, 1, 200), 0));
        for (int box = 0; box < 200; box++) {
            int layer = box / 49;
            Vector3f at = new Vector3f(-30 + 1.2f * (box % 7), 0.6f + 1.1f * layer, 1.2f * (box / 7 % 7));
            spatial("box " + box, at, new RigidBodyControl(new BoxCollisionShape(0.5f), 10));
        }
        RigidBodyControl sign = new RigidBodyControl(new BoxCollisionShape(0.5f), 10);
        sign.setApplyPhysicsLocal(true);
        spatial("sign", new Vector3f(0, 5, 60), sign);
        puck = new RigidBodyControl(new BoxCollisionShape(0.5f), 10);
        spatial("puck", new Vector3f(0, 5, 20), puck);
        puck.setGravity(Vector3f.ZERO);
        puck.setLinearVelocity(new Vector3f(METRES_PER_SECOND, 0, 0));

        car = new VehicleControl(new BoxCollisionShape(1, 0.3f, 2), 400);
        Node wheels = new Node("wheels");
        for (int wheel = 0; wheel < 4; wheel++) {
            Node spatial = new Node("wheel " + wheel);
            wheels.attachChild(spatial);
            Vector3f at = new Vector3f(wheel % 2 == 0 ? 0.9f : -0.9f, 0, wheel < 2 ? 1.5f : -1.5f);
            car.addWheel(spatial, at, new Vector3f(0, -1, 0), new Vector3f(-1, 0, 0), 0.4f, 0.5f, wheel < 2);
        }
        ((Node) spatial("car", new Vector3f(0, 1, 30), car)).attachChild(wheels);
        car.setPhysicsRotation(new Quaternion().fromAngles(0, (float) Math.PI / 2, 0));
        car.setLinearVelocity(new Vector3f(METRES_PER_SECOND, 0, 0));

        guard = new CharacterControl(new CapsuleCollisionShape(0.4f, 1), 0.3f);
        spatial("guard", new Vector3f(0, 0.95f, 40), guard);
        guard.setWalkDirection(new Vector3f(METRES_PER_SECOND / 60, 0, 0));
        guard.setViewDirection(new Vector3f(1, 0, 0));
        hero = new BetterCharacterControl(0.4f, 1.8f, 80);
        spatial("hero", new Vector3f(0, 0.05f, 50), hero);
        hero.getRigidBody().setFriction(0); // which would slow it down in every second tick
        hero.setWalkDirection(new Vector3f(METRES_PER_SECOND, 0, 0));
        hero.setViewDirection(new Vector3f(1, 0.5f, 0));
    }

    /** Adds a spatial below a node that is moved, turned and scaled. */
    Spatial spatial(String name, Vector3f at, PhysicsControl control) {
        Node axes = new Node("axes of " + name);
        axes.setLocalTranslation(7, 1, 2);
        axes.setLocalScale(2);
        axes.rotate(0, 1, 0);
        root.attachChild(axes);
        Node node = new Node(name);
        axes.attachChild(node);
        node.setLocalTranslation(axes.worldToLocal(at, null));
        node.setLocalRotation(axes.getLocalRotation().inverse());
        node.addControl(control);
        space.add(node);
        return node;
    }

    /** Runs what jMonkeyEngine runs between {@code simpleUpdate} and drawing. */
    void endFrame() {
        root.updateLogicalState(0.01f);
        root.updateGeometricState();
    }

    /** Plays before each tick. */
    void play() {
        tick++;
        if (tick == 40 || tick == 50) {
            hero.jump(); // the second time in the air, where it cannot
        }
    }

    /** Steps a space of jMonkeyEngine's own thread. */
    void step() {
        play();
        endFrame();
        space.update(1 / 60f, 0);
        space.distributeEvents();
    }

    Vector3f at(String name) {
        return root.getChild(name).getWorldTranslation();
    }
}
