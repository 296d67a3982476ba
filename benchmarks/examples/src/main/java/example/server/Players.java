package example.server;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import example.BoxRules;
import example.BoxYard;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The rules of a game for several players: each steers a box of its own with the arrow keys, as long as it is there. */
public final class Players extends ForwardingSimulation {

    private static final int KEY_RIGHT = 262;
    private static final int KEY_LEFT = 263;
    private static final float NEWTONS = 30_000;

    private final BoxYard yard;
    private final Deque<Body> free;

    /** By sender, the box that it steers. */
    final Map<Integer, Body> boxes = new TreeMap<>();

    public Players(BoxYard yard) {
        super(BoxRules.shown(yard));
        this.yard = yard;
        free = new ArrayDeque<>(yard.boxes);
    }

    @Override
    public void step(Tick tick) throws Exception {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            switch (event.kind()) {
                case SENDER_JOINED -> boxes.computeIfAbsent(event.sender(), joined -> free.poll());
                case SENDER_LEFT ->
                    Optional.ofNullable(boxes.remove(event.sender())).ifPresent(free::add);
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
