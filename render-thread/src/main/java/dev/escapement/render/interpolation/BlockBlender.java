package dev.escapement.render.interpolation;

import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.render.interpolation.Interpolation.Rotations;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/**
 * Blends one block of two consecutive snapshots: everything in passes over the whole block, then the few bodies that need
 * something else. One thread. Allocates nothing after construction.
 */
final class BlockBlender {

    private final Interpolation how;
    private final SlerpWeights slerp = new SlerpWeights(PoseBlock.CAPACITY);
    private final HermiteWeights hermite = new HermiteWeights();
    private final SeamBlender seams = new SeamBlender(hermite);

    // What is the same for all blocks of a frame.
    private float alpha;
    private float shiftX;
    private float shiftY;
    private float shiftZ;
    private boolean curved;
    private List<Channel> channels = List.of();

    BlockBlender(Interpolation how) {
        this.how = how;
    }

    void begin(Snapshot from, Snapshot to, float newAlpha, double tickSeconds) {
        PoseLayout layout = to.layout();
        alpha = newAlpha;
        // What turns a position measured from the later origin into one measured from the earlier.
        shiftX = (float) (to.originX() - from.originX());
        shiftY = (float) (to.originY() - from.originY());
        shiftZ = (float) (to.originZ() - from.originZ());
        curved = how.positions() == Positions.HERMITE && layout.hasTangents();
        channels = layout.channels();
        hermite.set(alpha, tickSeconds);
        seams.begin(alpha, shiftX, shiftY, shiftZ, curved);
    }

    /** Blends a block that changed in {@code to}'s tick, for an alpha strictly between 0 and 1. */
    void blend(Snapshot from, Snapshot to, int b, PoseBlock out, int n) {
        PoseBlock p = from.poses().block(b);
        PoseBlock q = to.poses().block(b);
        MotionBlock motion = to.motion(b);
        positions(p, q, from.motion(b), motion, out, n);
        rotations(p, q, motion, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), p.channels[c], q.channels[c], out.channels[c], n);
        }
        if (motion.seams().count() > 0) {
            seams.blend(p, q, from.motion(b), motion, out);
        }
    }

    private void positions(PoseBlock p, PoseBlock q, MotionBlock from, MotionBlock to, PoseBlock out, int n) {
        if (curved) {
            Passes.hermite(p.px, q.px, shiftX, from.vx, to.vx, hermite, out.px, n);
            Passes.hermite(p.py, q.py, shiftY, from.vy, to.vy, hermite, out.py, n);
            Passes.hermite(p.pz, q.pz, shiftZ, from.vz, to.vz, hermite, out.pz, n);
        } else {
            Passes.lerp(p.px, q.px, shiftX, alpha, out.px, n);
            Passes.lerp(p.py, q.py, shiftY, alpha, out.py, n);
            Passes.lerp(p.pz, q.pz, shiftZ, alpha, out.pz, n);
        }
    }

    private void rotations(PoseBlock p, PoseBlock q, MotionBlock to, PoseBlock out, int n) {
        if (how.rotations() == Rotations.SLERP) {
            slerp.compute(to.turn, to.largestTurn(), alpha, n);
            weigh(p, q, out, n);
        } else {
            Passes.lerp(p.qx, q.qx, 0, alpha, out.qx, n);
            Passes.lerp(p.qy, q.qy, 0, alpha, out.qy, n);
            Passes.lerp(p.qz, q.qz, 0, alpha, out.qz, n);
            Passes.lerp(p.qw, q.qw, 0, alpha, out.qw, n);
            normalise(out, n);
        }
    }

    private void weigh(PoseBlock p, PoseBlock q, PoseBlock out, int n) {
        Passes.weigh(slerp.w0, p.qx, slerp.w1, q.qx, out.qx, n);
        Passes.weigh(slerp.w0, p.qy, slerp.w1, q.qy, out.qy, n);
        Passes.weigh(slerp.w0, p.qz, slerp.w1, q.qz, out.qz, n);
        Passes.weigh(slerp.w0, p.qw, slerp.w1, q.qw, out.qw, n);
    }

    private void normalise(PoseBlock out, int n) {
        float[] scale = slerp.w0; // free: nothing else weighs anything now
        Passes.square(out.qx, scale, n);
        Passes.addSquare(out.qy, scale, n);
        Passes.addSquare(out.qz, scale, n);
        Passes.addSquare(out.qw, scale, n);
        Passes.inverseRoot(scale, n);
        Passes.multiply(out.qx, scale, n);
        Passes.multiply(out.qy, scale, n);
        Passes.multiply(out.qz, scale, n);
        Passes.multiply(out.qw, scale, n);
    }

    private void channel(Channel.Blending blending, float[] a, float[] b, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(a, 0, out, 0, n);
            case LINEAR -> Passes.lerp(a, b, 0, alpha, out, n);
            case ANGLE -> Angles.lerp(a, b, alpha, out, n);
        }
    }
}
