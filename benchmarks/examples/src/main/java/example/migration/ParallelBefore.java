package example.migration;

import com.jme3.app.SimpleApplication;
import com.jme3.bullet.BulletAppState;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;

abstract class ParallelBefore extends SimpleApplication {

    private final BulletAppState bullet = new BulletAppState();

    @Override
    public void simpleInitApp() {
        bullet.setThreadingType(BulletAppState.ThreadingType.PARALLEL);
        stateManager.attach(bullet);
    }

    void addCrate(Spatial crate) {
        RigidBodyControl control = new RigidBodyControl(10);
        crate.addControl(control); // the control moves the spatial to the pose of the last step
        rootNode.attachChild(crate);
        bullet.getPhysicsSpace().add(crate);
    }

    void kick(Spatial crate) {
        crate.getControl(RigidBodyControl.class).applyCentralImpulse(new Vector3f(0, 40, 0));
    }
}
