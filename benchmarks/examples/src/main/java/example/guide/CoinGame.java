package example.guide;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.physics.simulation.*;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.state.event.*;
import dev.escapement.state.input.*;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3f;

/** W, A, S and D move a ball, space lets it jump; it takes coins, and a lift carries it. P pauses. */
public final class CoinGame extends ForwardingSimulation {

    static final long COIN = 2; // user data: a number of your own
    static final RVec3 START = new RVec3(0, 0.5, 0);

    final PhysicsService physics;
    private final JoltWorldSimulation world;
    private final BodyInterface bodies;
    private final EventStream events;
    final Body player;
    final Body lift;
    private final List<Body> coins = new ArrayList<>();
    volatile int coinsLeft; // volatile: the window's thread reads it

    public static void main(String[] args) {
        make().play();
    }

    static CoinGame make() {
        JoltNatives.load(); // before the first object of Jolt
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(1, 1).add(0, 0); // one layer: every body collides with every other
        system.init(100, 0, 1024, 1024, layers, new ObjVsBpFilter(1, 1), new ObjVsObjFilter(1));
        return new CoinGame(new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs)));
    }

    private CoinGame(JoltWorldSimulation world) {
        super(world);
        this.world = world;
        bodies = world.world().getBodyInterface();
        player = add(new SphereShape(0.5f), START, EMotionType.Dynamic, 1, false);
        add(new BoxShape(6, 0.5f, 6), new RVec3(0, -0.5, 0), EMotionType.Static, 0, false);
        lift = add(new BoxShape(1, 0.1f, 1), new RVec3(0, 1, -4), EMotionType.Kinematic, 0, false);
        for (int i = 0; i < 5; i++) {
            coins.add(add(new SphereShape(0.3f), new RVec3(2 * i - 4, 0.5, 3), EMotionType.Static, COIN, true));
        }
        coinsLeft = coins.size();
        world.listenToContacts(); // otherwise events have no contacts
        physics = PhysicsService.builder(this).pausedInput(this::whilePaused).build();
        events = physics.events(1024);
    }

    /** Call it only in the constructor, in a step or in a command. A sensor reports contacts, and stops nothing. */
    private Body add(Shape shape, RVec3 at, EMotionType motion, long userData, boolean sensor) {
        BodyCreationSettings settings = new BodyCreationSettings(shape, at, new Quat(), motion, 0);
        settings.setIsSensor(sensor);
        Body body = bodies.createBody(settings);
        bodies.addBody(body, EActivation.Activate);
        world.attach(body, userData); // otherwise it is not drawn
        return body;
    }

    @Override
    public void step(Tick tick) throws Exception {
        if (presses(tick.input(), 'P') > 0) {
            physics.pause(); // any thread may call this
        }
        events.drain(this::happened); // the events of the tick before
        movePlayer(tick.input());
        moveLift(tick);
        super.step(tick);
    }

    private void movePlayer(InputFrame input) {
        InputState keys = input.state();
        float x = (keys.isKeyDown('D') ? 4 : 0) - (keys.isKeyDown('A') ? 4 : 0); // m/s
        float z = (keys.isKeyDown('S') ? 4 : 0) - (keys.isKeyDown('W') ? 4 : 0);
        boolean jumps = presses(input, ' ') > 0 && isOnGround();
        float y = jumps ? 6 : player.getLinearVelocity().getY();
        bodies.setLinearVelocity(player.getId(), new Vec3(x, y, z)); // on a lift that moves sideways, add its velocity
        if (player.getPosition().yy() < -10) { // a fallen player begins again
            bodies.setPosition(player.getId(), START, EActivation.Activate);
            bodies.setLinearVelocity(player.getId(), new Vec3());
            world.teleported(player); // frames must not interpolate this jump
        }
    }

    /** Casts a short ray that begins below the ball, because otherwise it would hit the ball. */
    private boolean isOnGround() {
        RVec3 at = player.getPosition();
        RRayCast down = new RRayCast(new RVec3(at.xx(), at.yy() - 0.51, at.zz()), new Vec3(0, -0.1f, 0));
        return world.world().getNarrowPhaseQuery().castRay(down, new RayCastResult());
    }

    /** Gives the engine the lift's next place, and not only a velocity: then the lift carries what stands on it. */
    private void moveLift(Tick tick) {
        RVec3 next = new RVec3(0, 1 + Math.sin(tick.number() * tick.dtSeconds()), -4); // starts at the lift's place
        bodies.moveKinematic(lift.getId(), next, new Quat(), (float) tick.dtSeconds());
    }

    private void happened(BodyEvent event) {
        if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
            Body one = world.bodyOf(event.body()); // null if the body is gone
            Body other = world.bodyOf(event.other());
            Body coin = player.equals(one) ? other : player.equals(other) ? one : null;
            if (coin != null && coins.remove(coin)) {
                world.detach(coin); // before removing it, because an attached body has to be in the world
                bodies.removeBody(coin.getId());
                bodies.destroyBody(coin.getId());
                coinsLeft = coins.size();
            }
        }
    }

    /** How often a key went down since the tick before. */
    static int presses(InputFrame input, int key) {
        int presses = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (event.kind() == InputKind.KEY_DOWN && event.code() == key) {
                presses++;
            }
        }
        return presses;
    }

    /** Gets the input while time stands still, because then no step runs. */
    private void whilePaused(InputEvent event, InputState held) {
        if (event.kind() == InputKind.KEY_DOWN && event.code() == 'P') {
            physics.resume();
        }
    }

    private void play() {
        Vector3f at = new Vector3f();
        try (PhysicsService running = physics.start();
                GlfwWindow window = GlfwWindow.open("Coins", 1280, 720, (slot, userData, shape) -> {
                    if (userData == COIN) {
                        shape.colour(0xFFC020);
                    }
                })) {
            window.floor(false); // hides the window's grey floor, which physics does not know
            window.show(
                    running,
                    view -> { // before each frame is drawn, on the render thread
                        view.positionOfSlot(0, at); // slot 0 is the player, attached first and never detached
                        window.camera(new Vector3f(at).add(0, 4, 9), at);
                        window.title(coinsLeft + " coins left");
                    });
        }
    }
}
