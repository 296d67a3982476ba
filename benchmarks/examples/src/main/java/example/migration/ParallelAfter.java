package example.migration;

import com.jme3.app.SimpleApplication;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
import dev.escapement.render.FrameView;
import dev.escapement.render.jme.BodiesAppState;
import dev.escapement.render.jme.BodySpatials;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.CompletableFuture;

abstract class ParallelAfter extends SimpleApplication {

    private final BulletWorldSimulation world =
            new BulletWorldSimulation(new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT));
    private final PhysicsService physics = PhysicsService.builder(world).build();

    @Override
    public void simpleInitApp() {
        FrameView view = FrameView.of(physics.newReader());
        BodySpatials crates = new BodySpatials(view, rootNode, (bodyId, number) -> newCrate());
        stateManager.attach(new BodiesAppState(crates, NanoClock.system()));
        physics.start();
    }

    abstract Spatial newCrate();

    long addCrate(PhysicsRigidBody crate) {
        return physics.spawn((tick, id) -> {
                    world.world().addCollisionObject(crate);
                    world.attach(id, crate, 0);
                    return crate;
                })
                .id();
    }

    CompletableFuture<?> kick(PhysicsRigidBody crate) {
        return physics.execute(tick -> {
            crate.applyCentralImpulse(new Vector3f(0, 40, 0));
        });
    }
}
