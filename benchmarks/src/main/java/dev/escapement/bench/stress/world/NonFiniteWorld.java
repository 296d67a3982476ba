package dev.escapement.bench.stress.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/** A world whose engine blows up now and then: for some ticks, every seventh body has a pose that is not finite. */
public final class NonFiniteWorld extends ModelledWorld {

    private static final int PERIOD_TICKS = 25;
    private static final int FIRST = 3; // so that the shortest run has a burst
    private static final int BURST_TICKS = 10;
    private static final int EVERY = 7;
    private static final int PLACES = 1 << 16;
    private static final float[] FAULTS = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};

    private final int bodies;
    private long faults;

    /** A world of so many bodies. */
    public NonFiniteWorld(int bodies) {
        this.bodies = bodies;
    }

    @Override
    void capture(long now, PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            float place = place(now, body);
            float x = place;
            float w = 1;
            if (isFaulty(now, body)) {
                float fault = FAULTS[(int) (now % FAULTS.length)];
                x = body % 2 == 0 ? fault : place;
                w = body % 2 == 0 ? 1 : fault;
                faults++;
            }
            poses.set(body, x, place + 1, 0, 0, 0, 0, w);
        }
    }

    /** How many poses were not finite. Physics thread, or after its end. */
    public long faults() {
        return faults;
    }

    @Override
    public boolean test(Snapshot snapshot) {
        for (int body = 0; body < bodies; body++) {
            PoseBlock block = snapshot.poses().blockOf(body);
            int i = body & PoseBlock.MASK;
            boolean faulty = isFaulty(snapshot.tick(), body);
            float place = place(faulty ? lastGoodTick(snapshot.tick()) : snapshot.tick(), body);
            if (block.px[i] != place
                    || block.py[i] != place + 1
                    || block.qw[i] != 1
                    || snapshot.bodies().isQuarantined(body) != faulty) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFaulty(long tick, int body) {
        long phase = tick % PERIOD_TICKS;
        return phase >= FIRST && phase < FIRST + BURST_TICKS && body % EVERY == 0;
    }

    private static long lastGoodTick(long faultyTick) {
        return faultyTick - faultyTick % PERIOD_TICKS + FIRST - 1;
    }

    private static float place(long tick, int body) {
        return Math.floorMod(tick * 31 + body, PLACES);
    }
}
