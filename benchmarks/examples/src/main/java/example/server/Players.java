package example.server;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import dev.escapement.state.wire.udp.Limits;
import example.BoxYard;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The rules of a game for several players. Each player in the game steers its own box in front of a pile with the arrow keys. The user data
 * of a player's box is the player's number; the user data of the pile's boxes is 0.
 *
 * <p>It is not {@code Restorable}, because it has no state besides the world. The world has a box for each player in the game, and cannot
 * be restored to a tick that had other players.
 */
public final class Players extends ForwardingSimulation {

    /**
     * The maximum number of players. It is one more than the maximum number of clients: a client that reconnects joins as a new player
     * before its old number leaves.
     */
    static final int ROOM = Limits.DEFAULT.clients() + 1;

    private static final int KEY_RIGHT = 262;
    private static final int KEY_LEFT = 263;
    private static final float NEWTONS = 30_000;
    private static final int PLACES = 5;
    private static final double SPACING_METRES = 1.5;
    private static final double FIRST_Z_METRES = 6;

    private final BoxYard yard;
    private final JoltWorldSimulation world;

    /** The box of each player. Sorted by player, because Jolt's results depend on the order of calls. */
    final Map<Integer, Body> boxes = new TreeMap<>();

    /** Creates the rules for a yard, which must have room for {@link #ROOM} more boxes. */
    public Players(BoxYard yard) {
        this(yard, new JoltWorldSimulation(yard.system, yard.allocator, yard.jobs));
    }

    private Players(BoxYard yard, JoltWorldSimulation world) {
        super(world);
        this.yard = yard;
        this.world = world;
        yard.boxes.forEach(box -> world.attach(box, 0));
    }

    @Override
    public void step(Tick tick) throws Exception {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            switch (event.kind()) {
                case SENDER_JOINED -> join(event.sender());
                case SENDER_LEFT -> leave(event.sender());
                default -> {}
            }
        }
        boxes.forEach((player, box) -> {
            InputState held = input.state(player);
            int right = (held.isKeyDown(KEY_RIGHT) ? 1 : 0) - (held.isKeyDown(KEY_LEFT) ? 1 : 0);
            push(box, NEWTONS * right * (float) tick.dtSeconds());
        });
        super.step(tick);
    }

    private void join(int player) {
        Body box = yard.add(0, 1, FIRST_Z_METRES + SPACING_METRES * (player % PLACES));
        world.attach(box, player); // the user data tells clients whose box it is
        boxes.put(player, box);
    }

    private void leave(int player) {
        // Never null, because only a player that has joined can leave.
        Body box = Objects.requireNonNull(boxes.remove(player));
        world.detach(box); // must come before the box is freed
        yard.remove(box);
    }

    private void push(Body box, float impulse) {
        if (impulse != 0) {
            yard.system.getBodyInterface().addImpulse(box.getId(), new Vec3(impulse, 0, 0));
        }
    }

    @Override
    public void close() {
        super.close();
        yard.close();
    }
}
