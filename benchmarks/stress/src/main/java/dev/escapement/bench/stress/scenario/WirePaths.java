package dev.escapement.bench.stress.scenario;

import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.WireFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A world that follows from a number and that of its tick: bodies come, go, fly, bounce, turn, rest and jump, one of them farther away than
 * most formats can tell, and the origin moves. A body's user data says which it is, so that what a client shows can be compared with what the server had.
 */
final class WirePaths extends PredictableWorld {

    /** No body moves farther in a tick, but by a jump. */
    static final double MOST_METRES = 0.06 * 1.8;

    private static final double MOST_ALONG = 0.06;
    private static final double JUMP_METRES = 40;
    private static final int FAR_BODY = 1;
    private static final int FAR_JUMP = 3;
    private static final float FAR_METRES = 0x1p40f;

    /** Of units that are twice the bound of a position, a coordinate has so many at most. */
    private static final float MOST_UNITS = 0x1p29f;

    private static final int ORIGIN_TICKS = 307;
    private static final double ORIGIN_METRES = 100;

    /** Of floats some hundred metres from the origin. */
    private static final double ROUNDING_METRES = 1e-4;

    private static final double ROUNDING_RADIANS = 1e-3;
    private static final int NUMBER_BITS = 40;
    private static final int BODY_BITS = 12;
    private static final long LIE_TICKS = 199;

    private final int number;
    private final long seed;
    private final WireFormat format;
    private final long[] ids;
    private final long[] lives;
    private final double[] at = new double[4];

    /** When its ticks were simulated, from the first on. */
    final List<Long> steppedNanos = new ArrayList<>();

    /** Whether it captures now and then what is not so; whether it says that a body jumps. */
    boolean lies;

    boolean tellsJumps = true;

    WirePaths(int number, long seed, int bodies, WireFormat format, Consumer<Tick> atStep) {
        super(bodies, atStep);
        this.number = number;
        this.seed = seed;
        this.format = format;
        ids = new long[bodies];
        lives = new long[bodies];
        Arrays.fill(lives, -1);
    }

    /** Which world a body is of, by its user data. */
    static int numberOf(long userData) {
        return (int) (userData >>> NUMBER_BITS);
    }

    private long drawn(long body, long what) {
        long mixed = (seed + body * 0x9E3779B97F4A7C15L + what * 0xD1B54A32D192ED03L) * 0xBF58476D1CE4E5B9L;
        return ((mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL) >>> 33;
    }

    /** Which life of a body it is, -1 while it is away. The first body always is there. */
    private long life(long now, int body) {
        if (body == 0) {
            return 0;
        }
        long length = 150 + drawn(body, 1) % 900;
        long of = now + drawn(body, 2) % length;
        return of % length < length * 4 / 5 ? of / length : -1;
    }

    private long epochTicks(int body) {
        return 100 + drawn(body, 3) % 200;
    }

    private long jumps(long now, int body) {
        long drawn = drawn(body, 100 + now / epochTicks(body));
        return body == FAR_BODY && drawn % 2 == 0 ? FAR_JUMP : drawn % 3;
    }

    /** How many bodies of a tick a client is shown at the edge of what their format can tell. */
    int far(long now) {
        return !format.isExact() && life(now, FAR_BODY) >= 0 && jumps(now, FAR_BODY) == FAR_JUMP ? 1 : 0;
    }

    private float farthestMetres() {
        return format.isExact() ? FAR_METRES : 2 * format.maxPositionErrorMetres() * MOST_UNITS;
    }

    /** Where a body is, as far as clients can know: x, y, z and an angle. */
    private void place(long now, int body) {
        long epoch = epochTicks(body);
        long moving = drawn(body, 4) % 3 == 0 ? epoch : epoch / 2;
        double moved = now / epoch * moving + Math.min(now % epoch, moving);
        for (int axis = 0; axis < 3; axis++) {
            double reach = 1 + drawn(body, 10 + axis) % 4;
            double along = moved * MOST_ALONG * (0.2 + drawn(body, 20 + axis) % 80 / 100.0);
            at[axis] = drawn(body, 5) % 2 == 0 ? bounce(along, reach) : reach * StrictMath.sin(along / reach);
        }
        long jumps = jumps(now, body);
        at[1] = jumps == FAR_JUMP ? farthestMetres() : at[1] + JUMP_METRES * jumps;
        at[3] = moved * (drawn(body, 6) % 21 - 10) * 0.01;
    }

    /** To and fro between two walls. */
    private static double bounce(double along, double reach) {
        double phase = along % (4 * reach);
        return phase < 2 * reach ? phase - reach : 3 * reach - phase;
    }

    private static double originX(long now) {
        return now / ORIGIN_TICKS % 5 * ORIGIN_METRES;
    }

    private long userData(long life, int body) {
        return (long) number << NUMBER_BITS | life << BODY_BITS | body;
    }

    @Override
    void capture(long now, PoseWriter poses) {
        poses.origin(originX(now), 0, -originX(now));
        for (int body = 0; body < bodies; body++) {
            long life = life(now, body);
            boolean isNew = life != lives[body];
            if (isNew && lives[body] >= 0) {
                poses.despawn(ids[body]);
            }
            if (isNew && life >= 0) {
                ids[body] = poses.spawn(userData(life, body));
            }
            lives[body] = life;
            if (life >= 0) {
                write(now, body, isNew, poses);
            }
        }
    }

    private void write(long now, int body, boolean isNew, PoseWriter poses) {
        int slot = poses.slotOf(ids[body]);
        place(now, body);
        double lie = lies && now % LIE_TICKS == 0 ? 0.02 : 0;
        double sine = StrictMath.sin(at[3] / 2);
        poses.set(
                slot,
                (float) (at[0] + lie - originX(now)),
                jumps(now, body) == FAR_JUMP ? FAR_METRES : (float) at[1],
                (float) (at[2] + originX(now)),
                (float) (0.48 * sine),
                (float) (0.6 * sine),
                (float) (0.64 * sine),
                (float) StrictMath.cos(at[3] / 2));
        if (!isNew && tellsJumps && jumps(now, body) != jumps(now - 1, body)) {
            poses.teleport(slot);
        }
    }

    /** How far the body of a slot is from where it was at a tick, in metres; NaN if it was not there. */
    double off(Snapshot shown, int slot, long then) {
        return off(shown, shown.poses().blockOf(slot), slot, then);
    }

    private double off(Snapshot shown, PoseBlock block, int slot, long then) {
        int body = body(shown.bodies().userData(slot));
        if (then < 1 || body >= bodies || shown.bodies().userData(slot) != userData(life(then, body), body)) {
            return Double.NaN;
        }
        place(then, body);
        int i = slot & PoseBlock.MASK;
        return length(
                shown.originX() + block.px[i] - at[0], block.py[i] - at[1], shown.originZ() + block.pz[i] - at[2]);
    }

    /** How far a body that is drawn between a tick and the next is from the straight way between both, or from both if it jumps. */
    double offBetween(Snapshot shown, PoseBlock drawn, int slot, long then, float alpha) {
        double before = off(shown, drawn, slot, then);
        double[] from = at.clone();
        double after = off(shown, drawn, slot, then + 1);
        int body = body(shown.bodies().userData(slot));
        if (Double.isNaN(before) || Double.isNaN(after) || jumps(then, body) != jumps(then + 1, body)) {
            return Double.isNaN(after) || before < after ? before : after;
        }
        int i = slot & PoseBlock.MASK;
        return length(
                shown.originX() + drawn.px[i] - from[0] - alpha * (at[0] - from[0]),
                drawn.py[i] - from[1] - alpha * (at[1] - from[1]),
                shown.originZ() + drawn.pz[i] - from[2] - alpha * (at[2] - from[2]));
    }

    private static int body(long userData) {
        return (int) (userData & (1 << BODY_BITS) - 1);
    }

    static double length(double x, double y, double z) {
        return Math.sqrt(x * x + y * y + z * z);
    }

    double bound() {
        return format.maxPositionErrorMetres() * Math.sqrt(3) + ROUNDING_METRES;
    }

    /** What a snapshot does not have as it was at a tick; empty if it has all. */
    String differs(Snapshot shown, long then) {
        int there = 0;
        for (int body = 0; body < bodies; body++) {
            there += life(then, body) >= 0 ? 1 : 0;
        }
        if (shown.bodies().count() != there) {
            return shown.bodies().count() + " bodies instead of " + there;
        }
        for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
            if (shown.bodies().exists(slot)) {
                double off = off(shown, slot, then);
                if (!(off <= bound()) || !isTurned(shown, slot) || !isNamed(shown, slot)) {
                    return "body " + Long.toHexString(shown.bodies().userData(slot)) + " is " + off + " m off";
                }
            }
        }
        return "";
    }

    /** Whether the body that was looked at last has the rotation that it had. */
    private boolean isTurned(Snapshot shown, int slot) {
        PoseBlock block = shown.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        double sine = StrictMath.sin(at[3] / 2);
        double dot = block.qx[i] * 0.48 * sine
                + block.qy[i] * 0.6 * sine
                + block.qz[i] * 0.64 * sine
                + block.qw[i] * StrictMath.cos(at[3] / 2);
        double radians = 2 * StrictMath.acos(Math.min(1, Math.abs(dot)));
        return radians <= format.maxRotationErrorRadians() + ROUNDING_RADIANS;
    }

    /** Whether a body of which the server knows the id, has that. */
    private boolean isNamed(Snapshot shown, int slot) {
        int body = body(shown.bodies().userData(slot));
        long life = (shown.bodies().userData(slot) >> BODY_BITS) & ((1L << (NUMBER_BITS - BODY_BITS)) - 1);
        return lives[body] != life || shown.bodies().id(slot) == ids[body];
    }
}
