package dev.escapement.bench.stress.scenario;

import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.WireFormat;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A world that follows from the number of its tick: bodies go round, jump, come and go. A body's user data says which it is, so that what a
 * client shows can be compared with what the server had.
 */
final class ServedWorld extends PredictableWorld {

    private static final int LIFE_TICKS = 150;
    private static final int JUMP_TICKS = 90;
    private static final int JUMP_METRES = 40;
    private static final double RADIANS_PER_TICK = 0.03;
    private static final int BODY_BITS = 12;
    private static final long LIE_TICKS = 199;

    /** The rounding error of floats some ten metres from the origin. */
    private static final double ROUNDING_METRES = 1e-4;

    private final WireFormat format;
    private final boolean lies;
    private final long[] ids;

    /** A world; if {@code lies}, it captures a wrong pose now and then. */
    ServedWorld(int bodies, WireFormat format, boolean lies, Consumer<Tick> atStep) {
        super(bodies, atStep);
        this.format = format;
        this.lies = lies;
        ids = new long[bodies];
    }

    /** Each body has its own life time, and is absent for a fifth of it; the first one always exists. */
    private static boolean isThere(long now, int body) {
        long length = LIFE_TICKS + 7L * body;
        return now > 0 && (body == 0 || now % length < length * 4 / 5);
    }

    private static long userData(long now, int body) {
        long life = body == 0 ? 0 : now / (LIFE_TICKS + 7L * body);
        return life << BODY_BITS | body;
    }

    private static boolean isUp(long now, int body) {
        return (now + 11L * body) / JUMP_TICKS % 2 == 1;
    }

    /** The place of a body along an axis. */
    private static double at(int axis, long now, int body) {
        double radians = body + now * RADIANS_PER_TICK;
        int metres = 1 + body % 5;
        return axis == 1
                ? isUp(now, body) ? JUMP_METRES : 0
                : metres * (axis == 0 ? StrictMath.sin(radians) : StrictMath.cos(radians));
    }

    @Override
    void capture(long now, PoseWriter poses) {
        float lie = lies && now % LIE_TICKS == 0 ? 0.05f : 0;
        for (int body = 0; body < bodies; body++) {
            boolean was = isThere(now - 1, body);
            boolean is = isThere(now, body);
            if (was && !is) {
                poses.despawn(ids[body]);
            } else if (is) {
                ids[body] = was ? ids[body] : poses.spawn(userData(now, body));
                int slot = poses.slotOf(ids[body]);
                float x = (float) at(0, now, body) + lie;
                poses.set(slot, x, (float) at(1, now, body), (float) at(2, now, body), 0, 0, 0, 1);
                if (was && isUp(now, body) != isUp(now - 1, body)) {
                    poses.teleport(slot);
                }
            }
        }
    }

    /** A difference of a snapshot to the world at a tick; empty if there is none. */
    String differs(Snapshot shown, long then) {
        long there =
                IntStream.range(0, bodies).filter(body -> isThere(then, body)).count();
        if (shown.bodies().count() != there) {
            return shown.bodies().count() + " bodies instead of " + there;
        }
        for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
            if (shown.bodies().exists(slot) && !isAt(shown, slot, then)) {
                return "body " + Long.toHexString(shown.bodies().userData(slot)) + " is another one, or elsewhere";
            }
        }
        return "";
    }

    private boolean isAt(Snapshot shown, int slot, long then) {
        long userData = shown.bodies().userData(slot);
        int body = (int) (userData & (1 << BODY_BITS) - 1);
        PoseBlock block = shown.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        double bound = format.maxPositionErrorMetres() + ROUNDING_METRES;
        return userData == userData(then, body)
                && Math.abs(block.px[i] - at(0, then, body)) <= bound
                && Math.abs(block.py[i] - at(1, then, body)) <= bound
                && Math.abs(block.pz[i] - at(2, then, body)) <= bound;
    }
}
