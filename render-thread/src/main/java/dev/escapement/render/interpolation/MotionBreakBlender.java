package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;

/** Blends the few bodies with motion breaks, for which the loops over their block are wrong. Its state changes only in {@link #begin}. */
final class MotionBreakBlender {

    private final HermiteWeights hermite;
    private float alpha;
    private float shiftX;
    private float shiftY;
    private float shiftZ;
    private boolean curved;

    MotionBreakBlender(HermiteWeights hermite) {
        this.hermite = hermite;
    }

    void begin(float newAlpha, float newShiftX, float newShiftY, float newShiftZ, boolean newCurved) {
        alpha = newAlpha;
        shiftX = newShiftX;
        shiftY = newShiftY;
        shiftZ = newShiftZ;
        curved = newCurved;
    }

    void blend(PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out) {
        MotionBreaks breaks = current.breaks();
        for (int s = 0; s < breaks.count(); s++) {
            switch (breaks.kind(s)) {
                case SHIFTED -> shift(p, q, previous, current, out, s);
                case STRAIGHT -> straight(p, q, out, breaks, s);
                case SPINNING -> spin(p, out, breaks, s);
                case BROKEN -> {}
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == MotionBreaks.Kind.BROKEN) {
                out.copyFrom(p, breaks.index(s), 1);
            }
        }
    }

    private void shift(PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out, int s) {
        MotionBreaks breaks = current.breaks();
        int i = breaks.index(s);
        if (curved) {
            out.px[i] = hermite(p.px[i] + breaks.x(s), q.px[i] + shiftX, previous.vx[i], current.vx[i]);
            out.py[i] = hermite(p.py[i] + breaks.y(s), q.py[i] + shiftY, previous.vy[i], current.vy[i]);
            out.pz[i] = hermite(p.pz[i] + breaks.z(s), q.pz[i] + shiftZ, previous.vz[i], current.vz[i]);
        } else {
            straight(p, q, out, breaks, s);
        }
    }

    private void straight(PoseBlock p, PoseBlock q, PoseBlock out, MotionBreaks breaks, int s) {
        int i = breaks.index(s);
        out.px[i] = lerp(p.px[i] + breaks.x(s), q.px[i] + shiftX);
        out.py[i] = lerp(p.py[i] + breaks.y(s), q.py[i] + shiftY);
        out.pz[i] = lerp(p.pz[i] + breaks.z(s), q.pz[i] + shiftZ);
    }

    private void spin(PoseBlock p, PoseBlock out, MotionBreaks breaks, int s) {
        RotationVector.turn(p, breaks.index(s), breaks.x(s), breaks.y(s), breaks.z(s), alpha, out);
    }

    private float lerp(float a, float b) {
        return a + (b - a) * alpha;
    }

    private float hermite(float a, float b, float va, float vb) {
        return a + (b - a) * hermite.along + va * hermite.leaving + vb * hermite.arriving;
    }
}
