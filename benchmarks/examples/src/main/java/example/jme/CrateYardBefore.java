package example.jme;

import com.jme3.app.SimpleApplication;
import com.jme3.app.state.AppState;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import dev.escapement.physics.bullet.BulletNatives;
import java.util.LinkedHashMap;
import java.util.Map;

/** The game as it was: it steps its space in the render loop, as a BulletAppState does. */
class CrateYardBefore extends SimpleApplication {

    private static final int MOST_STEPS = 4;

    private final Map<PhysicsRigidBody, Spatial> spatials = new LinkedHashMap<>();
    private double seconds;
    private Yard yard;
    private YardSpatials models;

    @SuppressWarnings("NullAway.Init") // an application is made ready in simpleInitApp()
    CrateYardBefore() {
        super(new AppState[0]);
    }

    @Override
    public void simpleInitApp() {
        BulletNatives.load();
        yard = new Yard(new PhysicsSpace(PhysicsSpace.BroadphaseType.DBVT));
        models = new YardSpatials(assetManager);
        show(yard.platform, models.platform());
        yard.crates.forEach(crate -> show(crate, models.crate()));
    }

    private void show(PhysicsRigidBody body, Spatial spatial) {
        rootNode.attachChild(spatial);
        spatials.put(body, spatial);
    }

    void spawnCrate() {
        show(yard.addCrate(-4, 5, 0), models.crate());
    }

    void kick() {
        yard.crates.get(0).applyCentralImpulse(new Vector3f(0, 40, 0));
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        seconds += secondsPerFrame;
        yard.movePlatform(seconds);
        yard.space.update(secondsPerFrame, MOST_STEPS);
        spatials.forEach((body, spatial) -> {
            spatial.setLocalTranslation(body.getPhysicsLocation(null));
            spatial.setLocalRotation(body.getPhysicsRotation(null));
        });
    }
}
