package example.migration;

import com.jme3.app.SimpleApplication;
import com.jme3.bullet.BulletAppState;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.control.BetterCharacterControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;

/** A game whose scene jMonkeyEngine moves. {@link SceneAfter} is the same game on a physics thread. */
class SceneBefore extends SimpleApplication {

    private final BulletAppState bullet = new BulletAppState();
    private final BetterCharacterControl hero = new BetterCharacterControl(0.4f, 1.8f, 80);
    int impacts;

    @Override
    public void simpleInitApp() {
        bullet.setThreadingType(BulletAppState.ThreadingType.PARALLEL);
        stateManager.attach(bullet);
        PhysicsSpace space = bullet.getPhysicsSpace();
        space.addCollisionListener(event -> hear());
        add("floor", new Vector3f(0, -1, 0), new RigidBodyControl(new BoxCollisionShape(20, 1, 20), 0));
        add("crate", new Vector3f(0, 3, 0), new RigidBodyControl(new BoxCollisionShape(0.5f), 10));
        add("hero", new Vector3f(5, 0, 0), hero);
    }

    private void hear() {
        impacts++; // a real game plays a sound
    }

    void add(String name, Vector3f at, PhysicsControl control) {
        Node spatial = new Node(name);
        spatial.setLocalTranslation(at);
        spatial.addControl(control);
        rootNode.attachChild(spatial);
        bullet.getPhysicsSpace().add(spatial);
    }

    void kick(Spatial crate) {
        crate.getControl(RigidBodyControl.class).applyCentralImpulse(new Vector3f(0, 40, 0));
    }

    void walk(Vector3f velocity) {
        hero.setWalkDirection(velocity);
    }
}
