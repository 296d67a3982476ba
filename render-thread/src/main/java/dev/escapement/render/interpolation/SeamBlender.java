package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Seams;

/** Puts the few bodies right that the passes over their block could not blend. One thread. */
final class SeamBlender {

    private final HermiteWeights hermite;
    private float alpha;
    private float shiftX;
    private float shiftY;
    private float shiftZ;
    private boolean curved;

    SeamBlender(HermiteWeights hermite) {
        this.hermite = hermite;
    }

    void begin(float newAlpha, float newShiftX, float newShiftY, float newShiftZ, boolean newCurved) {
        alpha = newAlpha;
        shiftX = newShiftX;
        shiftY = newShiftY;
        shiftZ = newShiftZ;
        curved = newCurved;
    }

    void blend(PoseBlock p, PoseBlock q, MotionBlock from, MotionBlock to, PoseBlock out) {
        Seams seams = to.seams();
        for (int s = 0; s < seams.count(); s++) {
            switch (seams.kind(s)) {
                case SHIFTED -> shift(p, q, from, to, out, s);
                case STRAIGHT -> straight(p, q, out, seams, s);
                case SPINNING -> spin(p, out, seams, s);
                case BROKEN -> {}
            }
        }
        for (int s = 0; s < seams.count(); s++) { // last: a broken motion is broken whatever else happened
            if (seams.kind(s) == Seams.Kind.BROKEN) {
                out.copyFrom(p, seams.index(s), 1);
            }
        }
    }

    private void shift(PoseBlock p, PoseBlock q, MotionBlock from, MotionBlock to, PoseBlock out, int s) {
        Seams seams = to.seams();
        int i = seams.index(s);
        if (curved) {
            out.px[i] = hermite(p.px[i] + seams.x(s), q.px[i] + shiftX, from.vx[i], to.vx[i]);
            out.py[i] = hermite(p.py[i] + seams.y(s), q.py[i] + shiftY, from.vy[i], to.vy[i]);
            out.pz[i] = hermite(p.pz[i] + seams.z(s), q.pz[i] + shiftZ, from.vz[i], to.vz[i]);
        } else {
            straight(p, q, out, seams, s);
        }
    }

    private void straight(PoseBlock p, PoseBlock q, PoseBlock out, Seams seams, int s) {
        int i = seams.index(s);
        out.px[i] = lerp(p.px[i] + seams.x(s), q.px[i] + shiftX);
        out.py[i] = lerp(p.py[i] + seams.y(s), q.py[i] + shiftY);
        out.pz[i] = lerp(p.pz[i] + seams.z(s), q.pz[i] + shiftZ);
    }

    private void spin(PoseBlock p, PoseBlock out, Seams seams, int s) {
        RotationVector.turn(p, seams.index(s), seams.x(s), seams.y(s), seams.z(s), alpha, out);
    }

    private float lerp(float a, float b) {
        return a + (b - a) * alpha;
    }

    private float hermite(float a, float b, float va, float vb) {
        return a + (b - a) * hermite.along + va * hermite.leaving + vb * hermite.arriving;
    }
}
