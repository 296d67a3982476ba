import com.jme3.app.SimpleApplication;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.control.RigidBodyControl;
import com.jme3.material.Material;
import com.jme3.math.Vector3f;
import com.jme3.scene.Geometry;
import com.jme3.scene.Spatial;
import com.jme3.scene.shape.Box;
import com.jme3.system.AppSettings;
import com.jme3.system.JmeContext;
import dev.escapement.minie.MinieAppState;
import dev.escapement.minie.MinieSpace;
import dev.escapement.physics.bullet.BulletNatives;
import java.awt.GraphicsEnvironment;
import java.util.logging.Level;
import java.util.logging.Logger;

public class Main extends SimpleApplication {
    static final Logger ENGINE = Logger.getLogger("com.jme3");
    int frames;

    public static void main(String[] args) {
        BulletNatives.load(); // first, because it refuses dependencies with which jMonkeyEngine cannot start
        ENGINE.setLevel(Level.SEVERE); // else jMonkeyEngine warns of loaders that this program does not need
        AppSettings settings = new AppSettings(true);
        settings.setTitle("First hour");
        settings.setResolution(1280, 720);
        settings.setAudioRenderer(null); // this program has no sound
        Main game = new Main();
        game.setSettings(settings);
        game.setShowSettings(false);
        game.start(GraphicsEnvironment.isHeadless() ? JmeContext.Type.Headless : JmeContext.Type.Display);
    }

    @Override
    public void simpleInitApp() {
        MinieSpace space = new MinieSpace(PhysicsSpace.BroadphaseType.DBVT);
        stateManager.attach(new MinieAppState(space)); // a physics thread, which starts after this method
        RigidBodyControl floor = new RigidBodyControl(new BoxCollisionShape(15, 1, 15), 0);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.add(floor);
        Geometry model = new Geometry("box", new Box(0.5f, 0.5f, 0.5f));
        model.setMaterial(new Material(assetManager, "Common/MatDefs/Misc/ShowNormals.j3md"));
        for (int number = 0; number < 100; number++) {
            Spatial box = model.clone();
            box.setLocalTranslation(
                    1.25f * (number % 4) + 0.01f * (number % 7), 1 + 1.25f * (number / 16), 1.25f * (number / 4 % 4));
            box.addControl(new RigidBodyControl(new BoxCollisionShape(0.5f), 10));
            rootNode.attachChild(box);
            space.add(box);
        }
        cam.setLocation(new Vector3f(6, 7, 16));
        cam.lookAt(new Vector3f(2, 3, 2), Vector3f.UNIT_Y);
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        if (context.getType() == JmeContext.Type.Headless && ++frames % 20 == 0) {
            System.out.printf("the last box is %.2f m high%n", rootNode.getChild(99).getLocalTranslation().y);
            if (frames == 200) stop(); // without a display
        }
    }
}
