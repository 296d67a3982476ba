package example.guide;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.physics.simulation.*;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.state.input.*;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.joml.Vector3f;

/** W, A, S and D move a ball, space lets it jump; it takes coins, and a lift carries it. P pauses. */
public final class CoinGame extends ForwardingSimulation {

    static final long COIN = 2; // user data: a number of your own
    static final RVec3 START = new RVec3(0, 0.5, 0);

    final PhysicsService physics;
    private final JoltWorldSimulation world;
    private final BodyInterface bodies;
    private final IgnoreMultipleBodiesFilter notPlayer = new IgnoreMultipleBodiesFilter();
    private final Coins coins = new Coins();
    final Body player;
    final Body lift;
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
        player = add(new SphereShape(0.5f), START, EMotionType.Dynamic, 1);
        add(new BoxShape(6, 0.5f, 6), new RVec3(0, -0.5, 0), EMotionType.Static, 0);
        lift = add(new BoxShape(1, 0.1f, 1), new RVec3(0, 1, -4), EMotionType.Kinematic, 0);
        for (int i = 0; i < 5; i++) {
            world.attach(coins.add(new RVec3(2 * i - 4, 0.5, 3)), COIN);
        }
        notPlayer.ignoreBody(player.getId());
        world.world().setContactListener(coins);
        world.restoreBodiesWith(coins);
        physics = PhysicsService.builder(this).pausedInput(this::whilePaused).build();
    }

    /** Call it only in the constructor, in a step or in a command. */
    private Body add(Shape shape, RVec3 at, EMotionType motion, long userData) {
        Body body = bodies.createBody(new BodyCreationSettings(shape, at, new Quat(), motion, 0));
        bodies.addBody(body, EActivation.Activate);
        world.attach(body, userData); // otherwise it is not drawn
        return body;
    }

    @Override
    public void step(Tick tick) throws Exception {
        if (presses(tick.input(), 'P') > 0) {
            physics.pause(); // any thread may call this
        }
        movePlayer(tick.input());
        moveLift(tick);
        super.step(tick); // Jolt's step, which calls the listener of contacts
        coins.takeTouched();
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

    /** Casts a short ray from the middle of the ball, and not from below it, because a ball may rest 2 cm deep in the floor. */
    private boolean isOnGround() {
        RRayCast down = new RRayCast(player.getPosition(), new Vec3(0, -0.6f, 0));
        return world.world()
                .getNarrowPhaseQuery()
                .castRay(down, new RayCastResult(), new BroadPhaseLayerFilter(), new ObjectLayerFilter(), notPlayer);
    }

    /** Gives the engine the lift's next place, and not only a velocity: then the lift carries what stands on it. */
    private void moveLift(Tick tick) {
        RVec3 next = new RVec3(0, 1 + Math.sin(tick.number() * tick.dtSeconds()), -4); // starts at the lift's place
        bodies.moveKinematic(lift.getId(), next, new Quat(), (float) tick.dtSeconds());
    }

    /** The coins that are left. Takes coins within the step, where a replay and a step after a rewind take them, too. */
    private final class Coins extends CustomContactListener implements BodyRestorer<Body> {

        private final List<Body> left = new ArrayList<>();
        private final Set<Long> touched = new HashSet<>();

        Body add(RVec3 at) {
            BodyCreationSettings settings =
                    new BodyCreationSettings(new SphereShape(0.3f), at, new Quat(), EMotionType.Static, 0);
            settings.setIsSensor(true); // a sensor reports contacts, and stops nothing
            Body coin = bodies.createBody(settings);
            bodies.addBody(coin, EActivation.Activate);
            left.add(coin);
            coinsLeft = left.size();
            return coin;
        }

        /** Notes what the player touches. Nothing may be removed here, within Jolt's step; worker threads would need a lock. */
        @Override
        public void onContactAdded(long one, long other, long manifold, long settings) {
            if (one == player.va() || other == player.va()) {
                touched.add(one == player.va() ? other : one);
            }
        }

        void takeTouched() {
            for (Body coin : List.copyOf(left)) {
                if (touched.contains(coin.va())) {
                    world.detach(coin); // before removing it, because an attached body has to be in the world
                    remove(coin, COIN);
                }
            }
            touched.clear();
        }

        @Override
        public void remove(Body coin, long userData) {
            left.remove(coin);
            bodies.removeBody(coin.getId());
            bodies.destroyBody(coin.getId());
            coinsLeft = left.size();
        }

        /** Makes a taken coin again, when the game goes back to before it was taken. */
        @Override
        public Body restore(long engineId, long userData) {
            return add(new RVec3());
        }

        @Override
        public void onContactPersisted(long one, long other, long manifold, long settings) {}

        @Override
        public void onContactRemoved(long pair) {}

        @Override
        public int onContactValidate(long one, long other, double x, double y, double z, long result) {
            return 0; // ValidateResult.AcceptAllContactsForThisBodyPair
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
