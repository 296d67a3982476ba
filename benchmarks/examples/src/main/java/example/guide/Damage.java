package example.guide;

import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.Channel.Blending;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.List;

/** A crate that takes damage. Channels hold per-body data for the renderer besides the pose. */
final class Damage extends ForwardingSimulation {

    static final int HEALTH = 0;
    static final int RED = 1;
    static final int ANIMATION = 2;
    static final int ANIMATION_TICK = 3;
    static final PoseLayout LAYOUT = new PoseLayout(List.of(
            new Channel("health", Blending.LINEAR), // a bar that shrinks smoothly
            new Channel("red", Blending.LINEAR), // the red part of a colour, 0 to 1
            new Channel("animation", Blending.STEP), // the number of the animation that plays; not blended
            new Channel("animation tick", Blending.STEP))); // the tick in which the animation began

    static final int STANDING = 0;
    static final int HURT = 1;
    static final int KEY_HIT = 72;

    private final Yard yard;
    private float health = 100;
    private int animation = STANDING;
    private long animationTick;
    private boolean changed = true;

    Damage(Yard yard) {
        super(yard.simulation);
        this.yard = yard;
    }

    @Override
    public void step(Tick tick) throws Exception {
        for (int i = 0; i < tick.input().size(); i++) {
            if (tick.input().event(i).kind() == InputKind.KEY_DOWN
                    && tick.input().event(i).code() == KEY_HIT) {
                health = Math.max(0, health - 25);
                animation = HURT;
                animationTick = tick.number();
                changed = true;
            }
        }
        super.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        super.capture(poses); // writes the poses of the attached bodies
        if (changed) { // a channel that is not written keeps its value, and costs nothing
            int slot = poses.slotOf(yard.simulation.idOf(yard.crate));
            poses.channel(slot, HEALTH, health);
            poses.channel(slot, RED, 1 - health / 100);
            poses.channel(slot, ANIMATION, animation);
            poses.channel(slot, ANIMATION_TICK, (float) animationTick);
            changed = false;
        }
    }

    static float channel(FrameView view, long id, int channel) {
        int slot = view.shown().bodies().slotOf(id); // throws if the body is not in the frame
        return view.poses().blockOf(slot).channels[channel][slot & PoseBlock.MASK];
    }

    static double animationSeconds(FrameView view, long id) {
        long startedTick = (long) channel(view, id, ANIMATION_TICK);
        long ofCommands =
                view.shown().tick() - view.shown().simulationTick(); // snapshots that commands published in pauses
        double ticks =
                view.clock().tick() - ofCommands - startedTick + view.clock().alpha();
        return ticks * view.window().timeline().rate().dtSeconds();
    }
}
