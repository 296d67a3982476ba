package dev.escapement.render.interpolation;

import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/**
 * Blends one block of the previous snapshot (p) and the current one (q): the whole block in loops, then bodies with motion breaks one by
 * one. One thread. Allocates nothing.
 */
final class BlockBlender {

    private final Positions path;
    private final HermiteWeights hermite = new HermiteWeights();
    private final CorrectedBlock right = new CorrectedBlock();

    // The same for all blocks of a frame.
    private float alpha;
    private float shiftX;
    private float shiftY;
    private float shiftZ;
    private boolean curved;
    private List<Channel> channels = List.of();

    BlockBlender(Positions path) {
        this.path = path;
    }

    void begin(Snapshot previous, Snapshot current, float newAlpha, double tickSeconds) {
        PoseLayout layout = current.layout();
        alpha = newAlpha;
        // Converts a position relative to the current origin into one relative to the previous origin.
        shiftX = (float) (current.originX() - previous.originX());
        shiftY = (float) (current.originY() - previous.originY());
        shiftZ = (float) (current.originZ() - previous.originZ());
        curved = path == Positions.HERMITE && layout.hasTangents();
        channels = layout.channels();
        hermite.set(alpha, tickSeconds);
    }

    /** Blends a block that changed in {@code current}'s tick, for an alpha strictly between 0 and 1. */
    void blend(Snapshot previous, Snapshot current, int b, PoseBlock out, int slots) {
        PoseBlock q = current.poses().block(b);
        MotionBlock motion = current.motion(b);
        PoseBlock shown = previous.poses().block(b);
        int n = Interpolator.slotsInBoth(shown, q, slots);
        PoseBlock p = right.of(shown, motion, true, n);
        rotations(p, q, motion, out, n); // first: it stores its weights in out.px and out.py
        positions(p, q, previous.motion(b), motion, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), p.channels[c], q.channels[c], out.channels[c], n);
        }
        blendBreaks(p, q, previous.motion(b), motion, out, n);
        out.copyFrom(shown, n, slots - n);
    }

    private void positions(PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out, int n) {
        if (curved) {
            VectorLoops.hermite(p.px, q.px, shiftX, previous.vx, current.vx, hermite, out.px, n);
            VectorLoops.hermite(p.py, q.py, shiftY, previous.vy, current.vy, hermite, out.py, n);
            VectorLoops.hermite(p.pz, q.pz, shiftZ, previous.vz, current.vz, hermite, out.pz, n);
        } else {
            VectorLoops.lerp(p.px, q.px, shiftX, alpha, out.px, n);
            VectorLoops.lerp(p.py, q.py, shiftY, alpha, out.py, n);
            VectorLoops.lerp(p.pz, q.pz, shiftZ, alpha, out.pz, n);
        }
    }

    private void rotations(PoseBlock p, PoseBlock q, MotionBlock current, PoseBlock out, int n) {
        SlerpWeights.compute(current.turn, current.largestTurn(), alpha, out.px, out.py, n);
        VectorLoops.weigh(out.px, p.qx, out.py, q.qx, out.qx, n);
        VectorLoops.weigh(out.px, p.qy, out.py, q.qy, out.qy, n);
        VectorLoops.weigh(out.px, p.qz, out.py, q.qz, out.qz, n);
        VectorLoops.weigh(out.px, p.qw, out.py, q.qw, out.qw, n);
    }

    private void channel(Channel.Blending blending, float[] a, float[] b, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(a, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(a, b, 0, alpha, out, n);
            case ANGLE -> VectorLoops.lerpAngle(a, b, alpha, out, n);
        }
    }

    private void blendBreaks(
            PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out, int n) {
        MotionBreaks breaks = current.breaks();
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.index(s) >= n) {
                continue; // not in both ticks
            }
            switch (breaks.kind(s)) {
                case SHIFTED, STRAIGHT -> shift(p, q, previous, current, s, out);
                case SPINNING ->
                    RotationVector.turn(p, breaks.index(s), breaks.x(s), breaks.y(s), breaks.z(s), alpha, out);
                case BROKEN, CORRECTED, CORRECTED_TURN -> {}
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN && breaks.index(s) < n) {
                out.copyFrom(p, breaks.index(s), 1);
            }
        }
    }

    private void shift(PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, int s, PoseBlock out) {
        MotionBreaks breaks = current.breaks();
        int i = breaks.index(s);
        float x = p.px[i] + breaks.x(s);
        float y = p.py[i] + breaks.y(s);
        float z = p.pz[i] + breaks.z(s);
        boolean onCurve = curved && breaks.kind(s) == Kind.SHIFTED;
        float part = onCurve ? hermite.along : alpha;
        out.px[i] = x + (q.px[i] + shiftX - x) * part;
        out.py[i] = y + (q.py[i] + shiftY - y) * part;
        out.pz[i] = z + (q.pz[i] + shiftZ - z) * part;
        if (onCurve) { // not +=: the sum would have other bits than that of the loop
            out.px[i] = out.px[i] + previous.vx[i] * hermite.leaving + current.vx[i] * hermite.arriving;
            out.py[i] = out.py[i] + previous.vy[i] * hermite.leaving + current.vy[i] * hermite.arriving;
            out.pz[i] = out.pz[i] + previous.vz[i] * hermite.leaving + current.vz[i] * hermite.arriving;
        }
    }
}
