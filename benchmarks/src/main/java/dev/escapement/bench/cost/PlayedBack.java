package dev.escapement.bench.cost;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.BitSet;

/** A simulation without an engine: it writes the poses that another one has published, of the bodies that moved. */
final class PlayedBack implements Simulation {

    private static final int FLOATS = 7;

    private final float[] poses;
    private final BitSet moved;
    private final int bodies;

    PlayedBack(int bodies) {
        this.bodies = bodies;
        poses = new float[FLOATS * bodies];
        moved = new BitSet(bodies);
    }

    /** Takes over the other's newest poses, for the next tick. */
    void load(PoseBlocks published) {
        for (int body = 0; body < bodies; body++) {
            PoseBlock block = published.blockOf(body);
            int i = body & PoseBlock.MASK;
            int p = FLOATS * body;
            boolean same = poses[p] == block.px[i]
                    && poses[p + 1] == block.py[i]
                    && poses[p + 2] == block.pz[i]
                    && poses[p + 3] == block.qx[i]
                    && poses[p + 4] == block.qy[i]
                    && poses[p + 5] == block.qz[i]
                    && poses[p + 6] == block.qw[i];
            moved.set(body, !same);
            poses[p] = block.px[i];
            poses[p + 1] = block.py[i];
            poses[p + 2] = block.pz[i];
            poses[p + 3] = block.qx[i];
            poses[p + 4] = block.qy[i];
            poses[p + 5] = block.qz[i];
            poses[p + 6] = block.qw[i];
        }
    }

    /** How many bodies moved in the tick loaded last. */
    int moved() {
        return moved.cardinality();
    }

    @Override
    public void step(Tick tick) {}

    @Override
    public void capture(PoseWriter writer) {
        writer.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            if (moved.get(body)) {
                int p = FLOATS * body;
                writer.set(
                        body,
                        poses[p],
                        poses[p + 1],
                        poses[p + 2],
                        poses[p + 3],
                        poses[p + 4],
                        poses[p + 5],
                        poses[p + 6]);
            }
        }
    }
}
