package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;

/**
 * Blends the poses of two consecutive ticks: positions linearly, rotations along the arc (slerp).
 *
 * <p>Relies on the writer having aligned each quaternion's sign with the tick before. A body that does not exist at the
 * earlier tick is not shown yet; one that does not exist at the later tick is still shown as at the earlier one.
 *
 * <p>One thread. Allocates nothing unless the number of bodies grows.
 */
public final class Interpolator {

    private final SlerpWeights slerp = new SlerpWeights(PoseBlock.CAPACITY);

    /** Creates an interpolator. */
    public Interpolator() {}

    /**
     * Blends.
     *
     * @param from  the poses at the earlier tick
     * @param to    the poses at the later tick
     * @param alpha 0 for {@code from}, 1 for {@code to}
     * @param out   where the result goes, one pose per body of {@code from}
     * @throws IllegalArgumentException if alpha is not within 0 and 1
     */
    public void interpolate(PoseBlocks from, PoseBlocks to, float alpha, PoseBlocks out) {
        if (!(alpha >= 0 && alpha <= 1)) {
            throw new IllegalArgumentException("alpha must be within 0 and 1, but is " + alpha);
        }
        out.resize(from.bodyCount());
        for (int b = 0; b < from.blockCount(); b++) {
            int bodies = from.bodiesIn(b);
            int inBoth = b < to.blockCount() ? Math.min(bodies, to.bodiesIn(b)) : 0;
            if (inBoth > 0) {
                blend(from.block(b), to.block(b), alpha, out.block(b), inBoth);
            }
            if (inBoth < bodies) {
                out.block(b).copyFrom(from.block(b), inBoth, bodies - inBoth);
            }
        }
    }

    private void blend(PoseBlock a, PoseBlock b, float alpha, PoseBlock out, int n) {
        lerp(a.px, b.px, alpha, out.px, n);
        lerp(a.py, b.py, alpha, out.py, n);
        lerp(a.pz, b.pz, alpha, out.pz, n);
        slerp.begin(n);
        slerp.accumulate(a.qx, b.qx, n);
        slerp.accumulate(a.qy, b.qy, n);
        slerp.accumulate(a.qz, b.qz, n);
        slerp.accumulate(a.qw, b.qw, n);
        slerp.finish(alpha, n);
        weigh(a.qx, b.qx, out.qx, n);
        weigh(a.qy, b.qy, out.qy, n);
        weigh(a.qz, b.qz, out.qz, n);
        weigh(a.qw, b.qw, out.qw, n);
    }

    private static void lerp(float[] a, float[] b, float alpha, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = a[i] + (b[i] - a[i]) * alpha;
        }
    }

    private void weigh(float[] a, float[] b, float[] out, int n) {
        float[] w0 = slerp.w0;
        float[] w1 = slerp.w1;
        for (int i = 0; i < n; i++) {
            out[i] = w0[i] * a[i] + w1[i] * b[i];
        }
    }
}
