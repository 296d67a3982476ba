package example.libgdx;

import com.badlogic.gdx.ApplicationAdapter;
import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.utils.Array;
import com.badlogic.gdx.utils.GdxRuntimeException;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.box2d.Box2dNatives;
import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.libgdx.BodyInstances;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;

/** The game as it is now: a physics thread steps its world, and its model instances follow. */
class BarrelGame extends ApplicationAdapter {

    static final long LIFT = 1;
    static final long BARREL = 2;

    private final Cellar cellar;
    private final Box2dWorldSimulation world;
    private final PhysicsService physics;
    private final EventStream contacts;
    private final FrameView view;
    private final BodyInstances bodies;
    private int impacts;

    BarrelGame(Model barrelModel, Model liftModel) {
        Box2dNatives.load(); // before the first object of Box2D
        cellar = new Cellar();
        world = new Box2dWorldSimulation(cellar.world, (stepped, dtSeconds) -> cellar.step(dtSeconds));
        world.attach(cellar.lift, LIFT);
        cellar.barrels.forEach(barrel -> world.attach(barrel, BARREL));
        physics = PhysicsService.builder(new CellarRules(cellar, world))
                .source(world.touchWatch()) // while developing
                .build();
        contacts = physics.events(1024);
        view = FrameView.of(physics.newReader());
        bodies = new BodyInstances(view, (bodyId, number) -> {
            ModelInstance instance = new ModelInstance(number == LIFT ? liftModel : barrelModel);
            instance.userData = number;
            return instance;
        });
    }

    @Override
    public void create() {
        physics.start();
    }

    long spawnBarrel() {
        return physics.spawn((tick, id) -> {
                    Body barrel = cellar.addBarrel(-4, 5);
                    world.attach(id, barrel, BARREL);
                    return barrel;
                })
                .id();
    }

    void removeTopBarrel() {
        var unused = physics.execute(tick -> {
            Body top = cellar.barrels.remove(10);
            world.detach(top); // first: what is shown has to be in the world
            cellar.world.destroyBody(top);
        });
    }

    void kick() {
        var unused = physics.execute(tick -> {
            Body barrel = cellar.barrels.get(0);
            barrel.applyLinearImpulse(new Vector2(0, 30), barrel.getWorldCenter(), true);
        });
    }

    @Override
    public void render() {
        bodies.advance(System.nanoTime());
        // batch.render(bodies.instances(), environment)
        contacts.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                impacts++; // a sound, by event.closingSpeed(), at event.x(), event.y()
            }
        });
        if (physics.state() == ServiceState.FAILED) {
            throw new GdxRuntimeException(
                    "the physics thread ended", physics.failure().orElse(null));
        }
    }

    @Override
    public void dispose() {
        contacts.close();
        view.close();
        physics.close();
        cellar.world.dispose();
    }

    Array<ModelInstance> instances() {
        return bodies.instances();
    }

    int impacts() {
        return impacts;
    }

    /** The tick that the picture shows, 0 before there is one. */
    long shownTick() {
        return view.hasWindow() ? view.clock().tick() : 0;
    }
}
