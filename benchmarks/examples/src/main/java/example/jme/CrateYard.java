package example.jme;

import com.jme3.app.SimpleApplication;
import com.jme3.app.state.AppState;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.jme.BodiesAppState;
import dev.escapement.render.jme.BodySpatials;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.NanoClock;

/** The game after its migration to the library: a physics thread steps the physics space, and the spatials follow. */
class CrateYard extends SimpleApplication {

    private static final long PLATFORM = 1;
    private static final long CRATE = 2;

    private Yard yard;
    private BulletWorldSimulation world;
    private PhysicsService physics;
    private EventStream contacts;
    private FrameView view;
    private int impacts;
    BodySpatials spatials;

    @SuppressWarnings("NullAway.Init") // jMonkeyEngine initializes an application in simpleInitApp()
    CrateYard() {
        super(new AppState[0]);
    }

    @Override
    public void simpleInitApp() {
        BulletNatives.load();
        makePhysics();
        YardSpatials models = new YardSpatials(assetManager);
        spatials = new BodySpatials(
                view, // FrameView.of(physics.newReader())
                rootNode,
                (bodyId, number) -> number == PLATFORM ? models.platform() : models.crate());
        stateManager.attach(new BodiesAppState(spatials, NanoClock.system()));
        physics.start();
    }

    private void makePhysics() {
        yard = new Yard(new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT));
        world = new BulletWorldSimulation(yard.space);
        world.attach(yard.platform, PLATFORM);
        yard.crates.forEach(crate -> world.attach(crate, CRATE));
        physics = PhysicsService.builder(new YardRules(yard, world))
                .source(world.touchWatch()) // watches for forbidden access to the world; leave it out in a release
                .build();
        contacts = physics.events(1024);
        view = FrameView.of(physics.newReader());
    }

    void playAgain() {
        contacts.close();
        physics.close(); // the window continues to show the old world's last picture
        makePhysics();
        spatials.show(view); // shows the new service as soon as it has a frame
        physics.start();
    }

    long spawnCrate() {
        return physics.spawn((tick, id) -> {
                    PhysicsRigidBody crate = yard.addCrate(-4, 5, 0);
                    world.attach(id, crate, CRATE);
                    return crate;
                })
                .id();
    }

    void removeTopCrate() {
        var unused = physics.command(tick -> {
            PhysicsRigidBody top = yard.crates.remove(Yard.TOP_CRATE);
            world.detach(top); // before removing it, because an attached body has to be in the space
            yard.space.removeCollisionObject(top);
            return top;
        });
    }

    void kick() {
        var unused = physics.execute(tick -> {
            yard.crates.get(0).applyCentralImpulse(new Vector3f(0, 40, 0));
        });
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        if (spatials.view() == view && view.hasWindow()) { // else the window still shows the old world
            contacts.drain(view.shown().tick(), event -> {
                if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                    impacts++; // a real game plays a sound at event.x(), y() and z(), as loud as event.closingSpeed()
                }
            });
        }
        if (physics.state() == ServiceState.FAILED) {
            handleError("the physics thread ended", physics.failure().orElse(null));
        }
    }

    @Override
    public void destroy() {
        contacts.close();
        spatials.close();
        physics.close();
        super.destroy();
    }

    int impacts() {
        return impacts;
    }

    long newestTick() {
        return physics.lastPublishedTick();
    }

    long shownTick() {
        return spatials.view().hasWindow() ? spatials.view().clock().tick() : 0;
    }
}
