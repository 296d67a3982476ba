package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Bodies that move a metre a tick, each with its own times to jump. Those in even slots jump a long way instead of moving. Those in
 * odd slots go round a ring, whose end is its start: they jump back by its length, and move on meanwhile.
 *
 * <p>All along a diagonal, so that no axis can be taken for another.
 */
public final class JumpingWorld extends ModelledWorld {

    private static final long PERIOD_NANOS = 10_000_000;
    private static final int JUMP_EVERY = 5;
    private static final int JUMP_METRES = 1_000;
    private static final int JUMPS = 16;
    private static final int RING_METRES = 12;

    private final Trial trial;
    private final int bodies;

    /**
     * A world that ticks at 100 Hz. Says nothing of jumps if the trial is to break what is promised of them.
     *
     * @param bodies how many
     */
    public JumpingWorld(Trial trial, int bodies) {
        this.trial = trial;
        this.bodies = bodies;
    }

    @Override
    void capture(long now, PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            float place = place(now, body);
            poses.set(body, place, -place, 2 * place, 0, 0, 0, 1);
            if (jumps(now, body)) {
                sayThatItJumps(poses, body);
            }
        }
    }

    private void sayThatItJumps(PoseWriter poses, int body) {
        if (goesRound(body)) {
            if (!trial.isPlanted(Promise.MOVES_ON)) {
                poses.teleportBy(body, -RING_METRES, RING_METRES, -2 * RING_METRES);
            }
        } else if (!trial.isPlanted(Promise.NEVER_ON_THE_WAY)) {
            poses.teleport(body);
        }
    }

    @Override
    public boolean test(Snapshot snapshot) {
        for (int body = 0; body < bodies; body++) {
            float place = place(snapshot.tick(), body);
            if (!isAt(snapshot.poses().blockOf(body), body, place, 0)) {
                return false;
            }
        }
        return snapshot.poses().slotCount() == bodies;
    }

    /** How many there are. */
    public int bodies() {
        return bodies;
    }

    /** Whether a body goes round, and so moves on while it jumps. */
    public static boolean goesRound(int body) {
        return body % 2 != 0;
    }

    /**
     * Whether a body is drawn where it has to be, but for the rounding of floats: the numbers between which the library blends are whole,
     * so that it rounds twice, the part of the tick to 2^-25 and the sum to half a unit in its last place. Together that is less than a
     * unit in the last place of the farthest place.
     *
     * @param drawn    the block of the body
     * @param simNanos the simulated time that is drawn, from the start of the service
     */
    public static boolean isDrawnRightly(PoseBlock drawn, long simNanos, int body) {
        return isAt(drawn, body, drawnPlace(simNanos, body), Math.ulp(farthest(body)));
    }

    private static boolean isAt(PoseBlock block, int body, double place, double error) {
        int i = body & PoseBlock.MASK;
        float x = block.px[i];
        // To change a sign and to double rounds nothing.
        return Math.abs(x - place) <= error && block.py[i] == -x && block.pz[i] == 2 * x;
    }

    private static double drawnPlace(long simNanos, int body) {
        long nextTick = -Math.floorDiv(-simNanos, PERIOD_NANOS);
        long restNanos = nextTick * PERIOD_NANOS - simNanos;
        if (restNanos > 0 && jumps(nextTick, body) && !goesRound(body)) {
            return place(nextTick - 1, body);
        }
        return place(nextTick, body) - (double) restNanos / PERIOD_NANOS;
    }

    private static boolean jumps(long tick, int body) {
        return Math.floorMod(tick + body, goesRound(body) ? RING_METRES : JUMP_EVERY) == 0;
    }

    /** Forward by a metre a tick, by a thousand at a jump, and back to the start now and then, at a jump too; or round the ring. */
    private static float place(long tick, int body) {
        if (goesRound(body)) {
            return Math.floorMod(tick + body, RING_METRES);
        }
        long jumps = Math.floorDiv(tick + body, JUMP_EVERY);
        return Math.floorMod(jumps, JUMPS) * JUMP_METRES + Math.floorMod(tick + body, JUMP_EVERY);
    }

    private static float farthest(int body) {
        return goesRound(body) ? RING_METRES : JUMPS * JUMP_METRES;
    }
}
