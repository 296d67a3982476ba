import com.jme3.app.SimpleApplication;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.material.Material;
import com.jme3.math.Vector3f;
import com.jme3.scene.Geometry;
import com.jme3.scene.shape.Box;
import com.jme3.system.AppSettings;
import com.jme3.system.JmeContext;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.jme.BodiesAppState;
import dev.escapement.render.jme.BodySpatials;
import dev.escapement.state.time.NanoClock;
import java.awt.GraphicsEnvironment;
import java.util.logging.Level;
import java.util.logging.Logger;

public class Main extends SimpleApplication {
    static final Logger ENGINE = Logger.getLogger("com.jme3");
    PhysicsService physics;
    BodySpatials spatials;
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

    static BulletWorldSimulation makePile() {
        PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT); // a physics thread will step it
        BulletWorldSimulation simulation = new BulletWorldSimulation(space);
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(15, 1, 15), PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.addCollisionObject(floor);
        for (int box = 0; box < 100; box++) {
            PhysicsRigidBody body = new PhysicsRigidBody(new BoxCollisionShape(0.5f), 10);
            body.setPhysicsLocation(new Vector3f(1.25f * (box % 4) + 0.01f * (box % 7), 1 + 1.25f * (box / 16), 1.25f * (box / 4 % 4)));
            space.addCollisionObject(body);
            simulation.attach(body, box);
        }
        return simulation;
    }

    @Override
    public void simpleInitApp() {
        physics = PhysicsService.builder(makePile()).build(); // 100 ticks a second on a thread of its own, after start()
        Geometry box = new Geometry("box", new Box(0.5f, 0.5f, 0.5f));
        box.setMaterial(new Material(assetManager, "Common/MatDefs/Misc/ShowNormals.j3md"));
        spatials = new BodySpatials(FrameView.of(physics.newReader()), rootNode, (bodyId, number) -> box.clone());
        stateManager.attach(new BodiesAppState(spatials, NanoClock.system())); // moves the spatials in each frame
        cam.setLocation(new Vector3f(6, 7, 16));
        cam.lookAt(new Vector3f(2, 3, 2), Vector3f.UNIT_Y);
        physics.start();
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        if (physics.state() == ServiceState.FAILED) {
            throw new IllegalStateException("physics failed", physics.failure().orElse(null));
        }
        if (context.getType() == JmeContext.Type.Headless && spatials.view().hasWindow() && ++frames % 20 == 0) {
            System.out.printf("the last box is %.2f m high%n", rootNode.getChild(99).getLocalTranslation().y);
            if (frames == 200) stop(); // without a display
        }
    }

    @Override
    public void destroy() {
        spatials.close();
        physics.close();
        super.destroy();
    }
}
