package example.guide;

import com.github.stephengold.joltjni.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.state.event.*;
import dev.escapement.state.input.*;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/** What happens in each tick: P pauses, the player takes coins, a lift moves. */
final class CoinGame extends ForwardingSimulation {

    static final long COIN = 2;

    final PhysicsService physics; // start() it when all is ready
    private final EventStream events;
    private final JoltWorldSimulation world; // after listenToContacts()
    private final Body player;
    private final List<Body> coins;
    private final Body lift;
    private final RVec3 liftStart;
    volatile int coinsLeft; // volatile: the window's thread reads it

    CoinGame(JoltWorldSimulation world, Body player, List<Body> coins, Body lift) {
        super(world);
        this.world = world;
        this.player = player;
        this.coins = new ArrayList<>(coins);
        this.lift = lift;
        liftStart = lift.getPosition();
        coinsLeft = coins.size();
        physics = PhysicsService.builder(this).pausedInput(this::whilePaused).build();
        events = physics.events(1024);
    }

    @Override
    public void step(Tick tick) throws Exception {
        if (presses(tick.input(), 'P') > 0) {
            physics.pause(); // allowed here, as in any thread
        }
        events.drain(this::happened); // in the tick before
        moveLift(tick);
        super.step(tick);
    }

    /** In a step: {@code presses(tick.input(), 32)}, how often space went down since the tick before. */
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

    private void happened(BodyEvent event) {
        if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
            Body one = world.bodyOf(event.body()); // null if it is gone
            Body other = world.bodyOf(event.other());
            if (player.equals(one) || player.equals(other)) {
                take(player.equals(one) ? other : one);
            }
        }
    }

    private void take(@Nullable Body touched) {
        if (touched != null && coins.remove(touched)) {
            BodyInterface bodies = world.world().getBodyInterface();
            world.detach(touched); // first: what is seen has to be in the world
            bodies.removeBody(touched.getId());
            bodies.destroyBody(touched.getId());
            coinsLeft = coins.size();
        }
    }

    private void moveLift(Tick tick) {
        double metres = liftStart.yy() + Math.sin(tick.number() * tick.dtSeconds()); // begins where the lift is
        RVec3 next = new RVec3(liftStart.xx(), metres, liftStart.zz());
        world.world().getBodyInterface().moveKinematic(lift.getId(), next, new Quat(), (float) tick.dtSeconds());
    }

    /** The builder's {@code pausedInput}: gets each event that no tick gets, and what is held then. */
    private void whilePaused(InputEvent event, InputState held) {
        if (event.kind() == InputKind.KEY_DOWN && event.code() == 'P') {
            physics.resume();
        }
    }

    void play() {
        Vector3f at = new Vector3f();
        try (PhysicsService running = physics.start();
                GlfwWindow window = GlfwWindow.open("Coins", 1280, 720, (slot, userData, shape) -> {
                    if (userData == COIN) {
                        shape.colour(0xFFC020);
                    }
                })) {
            window.show(
                    running,
                    view -> { // before each frame is drawn, on the render thread
                        view.positionOfSlot(0, at); // the player was attached first
                        window.camera(new Vector3f(at).add(0, 4, 9), at);
                        window.title(coinsLeft + " coins left");
                    });
        }
    }
}
