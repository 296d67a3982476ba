package dev.escapement.render.interpolation;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.SplittableRandom;

/** Ten blocks of bodies, to which everything happens that interrupts motion. Block 3 rests in some ticks, the last one is new in tick 3. */
final class EventfulWorld {

    static final int TICKS = 8;
    static final int BLOCKS = 10;

    private static final int FIRST_BODIES = 9 * PoseBlock.CAPACITY - 100;
    private static final int MORE_BODIES = 500;
    private static final int NEW_BLOCK_TICK = 3;
    private static final int RESTING_BLOCK = 3;

    private final CapturedWorld world = new CapturedWorld(
            1,
            0,
            new PoseLayout(
                    PoseLayout.Tangents.DERIVED,
                    List.of(
                            new Channel("gear", Channel.Blending.STEP),
                            new Channel("throttle", Channel.Blending.LINEAR),
                            new Channel("wheel", Channel.Blending.ANGLE))));
    private final SplittableRandom random = new SplittableRandom(5);
    private final long[] ids = new long[FIRST_BODIES + MORE_BODIES];
    private int tick;

    Snapshot tick() {
        tick++;
        return world.tick(this::capture);
    }

    private void capture(PoseWriter poses) {
        if (tick >= 4) {
            poses.origin(64 * tick, 0, -3);
        }
        if (tick == 1) {
            spawn(poses, 0, FIRST_BODIES);
        } else if (tick == NEW_BLOCK_TICK) {
            spawn(poses, FIRST_BODIES, ids.length);
        }
        for (int body = 0; body < ids.length; body++) {
            boolean rests = body >>> PoseBlock.SHIFT == RESTING_BLOCK && (tick == 3 || tick == 4 || tick == 7);
            if (ids[body] != 0 && !rests) {
                happens(poses, body);
            }
        }
    }

    private void spawn(PoseWriter poses, int from, int to) {
        for (int body = from; body < to; body++) {
            ids[body] = poses.spawn(body);
        }
    }

    private void happens(PoseWriter poses, int body) {
        if (body % 73 == 0 && tick == 5) {
            poses.despawn(ids[body]);
            ids[body] = body % 2 == 0 ? poses.spawn(body) : 0; // reborn at once, or a gap for good
        }
        if (ids[body] == 0) {
            return;
        }
        int slot = poses.slotOf(ids[body]);
        double[] q = Exact.randomRotation(random); // up to half a turn from tick to tick
        float x = (float) random.nextDouble(-100, 100);
        poses.set(slot, x, body, x * body, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
        for (int channel = 0; channel < 3; channel++) {
            poses.channel(slot, channel, x / (channel + 1));
        }
        if (tick > 1 && body % 97 == 0) {
            poses.angularVelocity(slot, 1000, body, x);
        }
        if (tick > 1 && body % 89 == 0) {
            poses.teleportBy(slot, x, 1, 2);
        }
        if (tick > 1 && body % 83 == tick) {
            poses.teleport(slot);
        }
        if (body % 79 == 0) {
            poses.blended(slot, tick % 2 == 0);
        }
    }
}
