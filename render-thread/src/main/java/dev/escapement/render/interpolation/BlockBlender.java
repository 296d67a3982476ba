package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Blends a block of the previous snapshot (p) and the current one (q).
 *
 * <p>Vectorised loops blend the whole block. Then bodies with motion breaks (teleports, fast spins, corrections), and bodies whose centre
 * of mass is not their position, are blended one by one. One thread. Allocates nothing.
 */
final class BlockBlender {

    private final CorrectedBlock corrected = new CorrectedBlock();
    private final MassCentre centres = new MassCentre();
    private float alpha;

    // Added to a position that is relative to the current origin, to make it relative to the previous origin.
    private float shiftX;
    private float shiftY;
    private float shiftZ;

    /** Blends a block that changed in {@code current}'s tick, for an alpha strictly between 0 and 1. */
    void blend(Snapshot previous, Snapshot current, float newAlpha, int b, PoseBlock out, int slots) {
        alpha = newAlpha;
        shiftX = (float) (current.originX() - previous.originX());
        shiftY = (float) (current.originY() - previous.originY());
        shiftZ = (float) (current.originZ() - previous.originZ());
        PoseBlock q = current.poses().block(b);
        MotionBlock motion = current.motion(b);
        PoseBlock published = previous.poses().block(b);
        int n = Interpolator.slotsInBoth(published, q, slots);
        int breaks = motion.breaks().count();
        PoseBlock p = breaks == 0 ? published : corrected.withoutErrors(published, motion.breaks(), breaks, n);
        // Rotations before positions: out.px and out.py hold the weights of slerp until the positions overwrite them.
        VectorLoops.slerpWeights(motion.turn, motion.leastTurn(), alpha, out.px, out.py, n);
        VectorLoops.weigh(out.px, p.qx, out.py, q.qx, out.qx, n);
        VectorLoops.weigh(out.px, p.qy, out.py, q.qy, out.qy, n);
        VectorLoops.weigh(out.px, p.qz, out.py, q.qz, out.qz, n);
        VectorLoops.weigh(out.px, p.qw, out.py, q.qw, out.qw, n);
        VectorLoops.lerp(p.px, q.px, shiftX, alpha, out.px, n);
        VectorLoops.lerp(p.py, q.py, shiftY, alpha, out.py, n);
        VectorLoops.lerp(p.pz, q.pz, shiftZ, alpha, out.pz, n);
        channels(current, p, q, p, alpha, out, n);
        blendBreaks(p, q, motion.breaks(), current.bodyBlock(b), out, n);
        out.copyFrom(published, n, slots - n);
    }

    /** Blends the channels of the first n slots. Channels that are not blended are those of {@code steps}. */
    static void channels(
            Snapshot current, PoseBlock p, PoseBlock q, PoseBlock steps, float alpha, PoseBlock out, int n) {
        for (int c = 0; c < out.channels.length; c++) {
            switch (current.layout().channels().get(c).blending()) {
                case STEP -> System.arraycopy(steps.channels[c], 0, out.channels[c], 0, n);
                case LINEAR -> VectorLoops.lerp(p.channels[c], q.channels[c], 0, alpha, out.channels[c], n);
                case ANGLE -> VectorLoops.lerpAngle(p.channels[c], q.channels[c], alpha, out.channels[c], n);
            }
        }
    }

    private void blendBreaks(PoseBlock p, PoseBlock q, MotionBreaks breaks, BodyBlock bodies, PoseBlock out, int n) {
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.index(s) >= n) {
                continue; // the body is not in both ticks
            }
            switch (breaks.kind(s)) {
                case SHIFTED -> shift(p, q, breaks, s, out);
                case SPINNING -> RotationVector.rotate(p, breaks, s, alpha, out);
                case BROKEN, CORRECTED, CORRECTED_TURN -> {}
            }
        }
        for (int i = 0; bodies.offCentreCount() > 0 && i < n; i++) {
            centres.correct(bodies, i, p, p, q, alpha - 1, 0, out); // after the spins: this uses their rotations in out
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN && breaks.index(s) < n) {
                out.copyFrom(p, breaks.index(s), 1);
            }
        }
    }

    private void shift(PoseBlock p, PoseBlock q, MotionBreaks breaks, int s, PoseBlock out) {
        int i = breaks.index(s);
        float x = p.px[i] + breaks.x(s);
        float y = p.py[i] + breaks.y(s);
        float z = p.pz[i] + breaks.z(s);
        out.px[i] = x + (q.px[i] + shiftX - x) * alpha;
        out.py[i] = y + (q.py[i] + shiftY - y) * alpha;
        out.pz[i] = z + (q.pz[i] + shiftZ - z) * alpha;
    }
}
