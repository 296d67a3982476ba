package example.migration;

import com.jme3.app.SimpleApplication;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.control.BetterCharacterControl;
import com.jme3.bullet.control.PhysicsControl;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.minie.MinieAppState;
import dev.escapement.minie.MinieSpace;

/** The game of {@link SceneBefore}, whose scene a physics thread moves. */
class SceneAfter extends SimpleApplication {

    private final MinieSpace space = new MinieSpace(PhysicsSpace.BroadphaseType.DBVT);
    private final MinieAppState bullet = new MinieAppState(space);
    private final BetterCharacterControl hero = new BetterCharacterControl(0.4f, 1.8f, 80);
    int impacts;

    @Override
    public void simpleInitApp() {
        stateManager.attach(bullet);
        space.addCollisionListener(event -> enqueue(this::hear));
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
        var unused = bullet.physics().execute(tick -> space.add(spatial));
    }

    void kick(Spatial crate) {
        RigidBodyControl control = crate.getControl(RigidBodyControl.class);
        var unused = bullet.physics().execute(tick -> control.applyCentralImpulse(new Vector3f(0, 40, 0)));
    }

    void walk(Vector3f velocity) {
        var unused = bullet.physics().execute(tick -> hero.setWalkDirection(velocity));
    }
}
