package example;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputState;

/**
 * The game's rules, which run in every tick before Jolt's step. Arrow keys push the boxes, the space bar tosses them, and a click pushes
 * nearby ones away. {@link #close} also frees the yard's world.
 */
public final class BoxRules extends ForwardingSimulation {

    /** Key codes of GLFW. */
    private static final int KEY_SPACE = 32;

    private static final int KEY_RIGHT = 262;
    private static final int KEY_LEFT = 263;
    private static final int KEY_DOWN = 264;
    private static final int KEY_UP = 265;

    private static final float WIND_METRES_PER_SECOND_SQUARED = 15;
    private static final float TOSS_METRES_PER_SECOND = 6;
    private static final float BLAST_METRES_PER_SECOND = 12;
    private static final double BLAST_RADIUS_METRES = 4;

    private final BoxYard yard;

    public BoxRules(BoxYard yard) {
        super(shown(yard));
        this.yard = yard;
    }

    /** Creates the simulation of a yard and attaches the yard's boxes to it. */
    public static JoltWorldSimulation shown(BoxYard yard) {
        JoltWorldSimulation world = new JoltWorldSimulation(yard.system, yard.allocator, yard.jobs);
        for (int box = 0; box < yard.boxes.size(); box++) {
            world.attach(yard.boxes.get(box), box);
        }
        return world;
    }

    @Override
    public void step(Tick tick) throws Exception {
        for (int i = 0; i < tick.input().size(); i++) {
            InputEvent event = tick.input().event(i);
            if (event.kind() == InputKind.POINTER_DOWN) {
                blast(event.x(), event.y());
            } else if (event.kind() == InputKind.KEY_DOWN && event.code() == KEY_SPACE) {
                pushAll(0, TOSS_METRES_PER_SECOND, 0);
            }
        }
        InputState held = tick.input().state();
        float dv = WIND_METRES_PER_SECOND_SQUARED * (float) tick.dtSeconds();
        float right = dv * (down(held, KEY_RIGHT) - down(held, KEY_LEFT));
        float near = dv * (down(held, KEY_DOWN) - down(held, KEY_UP));
        if (right != 0 || near != 0) {
            pushAll(right, 0, near);
        }
        super.step(tick);
    }

    private static int down(InputState held, int key) {
        return held.isKeyDown(key) ? 1 : 0;
    }

    private void pushAll(float dvx, float dvy, float dvz) {
        yard.boxes.forEach(box -> push(box, dvx, dvy, dvz));
    }

    private void blast(float x, float z) {
        for (Body box : yard.boxes) {
            RVec3 at = box.getPosition();
            double distance = Math.hypot(at.xx() - x, at.zz() - z);
            if (distance < BLAST_RADIUS_METRES && distance > 0) {
                float dv = BLAST_METRES_PER_SECOND * (float) (1 - distance / BLAST_RADIUS_METRES);
                push(box, dv * (float) ((at.xx() - x) / distance), dv, dv * (float) ((at.zz() - z) / distance));
            }
        }
    }

    private void push(Body box, float dvx, float dvy, float dvz) {
        Vec3 now = box.getLinearVelocity();
        Vec3 then = new Vec3(now.getX() + dvx, now.getY() + dvy, now.getZ() + dvz);
        yard.system.getBodyInterface().setLinearVelocity(box.getId(), then); // also wakes the body
    }

    @Override
    public void close() {
        super.close();
        yard.close();
    }
}
