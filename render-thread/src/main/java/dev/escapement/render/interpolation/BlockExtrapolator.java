package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/**
 * Extrapolates the motion of a block between two consecutive snapshots by up to one tick beyond the later one. One thread.
 * Allocates nothing.
 */
final class BlockExtrapolator {

    private float beyond;
    private float shiftX;
    private float shiftY;
    private float shiftZ;
    private List<Channel> channels = List.of();

    /** Starts a frame that lies {@code newBeyond} ticks after {@code to}. Positions are relative to the origin of {@code to}. */
    void begin(Snapshot from, Snapshot to, float newBeyond) {
        beyond = newBeyond;
        shiftX = (float) (from.originX() - to.originX());
        shiftY = (float) (from.originY() - to.originY());
        shiftZ = (float) (from.originZ() - to.originZ());
        channels = to.layout().channels();
    }

    /** Extrapolates a block that changed in {@code to}'s tick. */
    void extrapolate(Snapshot from, Snapshot to, int b, PoseBlock out, int n) {
        PoseBlock p = from.poses().block(b);
        PoseBlock q = to.poses().block(b);
        MotionBlock motion = to.motion(b);
        rotations(p, q, motion, out, n); // first: it keeps its weights where the positions go
        // From q away from p: lerp from q to p with a negative alpha.
        VectorLoops.lerp(q.px, p.px, shiftX, -beyond, out.px, n);
        VectorLoops.lerp(q.py, p.py, shiftY, -beyond, out.py, n);
        VectorLoops.lerp(q.pz, p.pz, shiftZ, -beyond, out.pz, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), p.channels[c], q.channels[c], out.channels[c], n);
        }
        breaks(p, q, motion.breaks(), out);
    }

    /**
     * The next rotation on the arc from p to q is 2 cos(a) q - p. Blending q with it weighs q by w0 + 2 cos(a) w1 and p by
     * -w1, where w0 and w1 are slerp's weights.
     */
    private void rotations(PoseBlock p, PoseBlock q, MotionBlock motion, PoseBlock out, int n) {
        SlerpWeights.compute(motion.turn, motion.largestTurn(), beyond, out.px, out.py, n);
        VectorLoops.reflect(out.px, out.py, motion.turn, n);
        BlockBlender.weigh(out.px, q, out.py, p, out, n);
    }

    private void channel(Channel.Blending blending, float[] a, float[] b, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(b, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(b, a, 0, -beyond, out, n);
            case ANGLE -> VectorLoops.lerpAngle(b, a, -beyond, out, n);
        }
    }

    private void breaks(PoseBlock p, PoseBlock q, MotionBreaks breaks, PoseBlock out) {
        for (int s = 0; s < breaks.count(); s++) {
            int i = breaks.index(s);
            switch (breaks.kind(s)) {
                case SHIFTED -> {
                    out.px[i] = q.px[i] + (q.px[i] - p.px[i] - shiftX - breaks.x(s)) * beyond;
                    out.py[i] = q.py[i] + (q.py[i] - p.py[i] - shiftY - breaks.y(s)) * beyond;
                    out.pz[i] = q.pz[i] + (q.pz[i] - p.pz[i] - shiftZ - breaks.z(s)) * beyond;
                }
                case SPINNING -> RotationVector.turn(q, i, breaks.x(s), breaks.y(s), breaks.z(s), beyond, out);
                case STRAIGHT, BROKEN -> {}
            }
        }
        for (int s = 0; s < breaks.count(); s++) {
            boolean unknown =
                    breaks.kind(s) == MotionBreaks.Kind.BROKEN || breaks.kind(s) == MotionBreaks.Kind.STRAIGHT;
            if (unknown) { // it is not known how a broken or hit body goes on
                out.copyFrom(q, breaks.index(s), 1);
            }
        }
    }
}
