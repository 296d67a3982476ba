package dev.escapement.bench.stress.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/** Bodies that are all somewhere else in every tick. */
public final class PredictableWorld extends ModelledWorld {

    /** A prime, so that neighbours and successors differ. */
    private static final int STRIDE = 7919;

    private static final int PLACES = 1 << 16;

    private final int bodies;

    /** A world of so many bodies. */
    public PredictableWorld(int bodies) {
        this.bodies = bodies;
    }

    @Override
    void capture(long now, PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            float place = place(now, body);
            poses.set(body, place, place + 1, place + 2, 0, 0, 0, 1);
        }
    }

    @Override
    public boolean holds(Snapshot snapshot) {
        if (snapshot.poses().slotCount() != bodies) {
            return false;
        }
        for (int body = 0; body < bodies; body++) {
            PoseBlock block = snapshot.poses().blockOf(body);
            int i = body & PoseBlock.MASK;
            float place = place(snapshot.tick(), body);
            if (block.px[i] != place || block.py[i] != place + 1 || block.pz[i] != place + 2 || block.qw[i] != 1) {
                return false;
            }
        }
        return true;
    }

    /** Small enough that a float holds it exactly. */
    private static float place(long tick, int body) {
        return Math.floorMod((tick + body) * STRIDE, PLACES);
    }
}
