package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests predictions of bodies with random motion breaks against the formulas of {@link BlockPredictor} in doubles. */
class BlockPredictorTest {

    private static final int BODIES = 40;
    private static final double TICK_SECONDS = CapturedWorld.RATE.dtSeconds();
    private static final double[] AXIS = {0.48, 0.6, 0.64};
    private static final float FAR = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(20);
    private final double[][] places = new double[BODIES][3];
    private final double[][] rotations = new double[BODIES][];
    private final double[] turns = new double[BODIES];
    private final boolean[] isFar = new boolean[BODIES];

    // The displayed moment, by the variables of BlockPredictor's formulas.
    private final LastTicks last = new LastTicks(new CapturedWorld(4, 1, BODIES, PoseLayout.PLAIN));
    private boolean isKnown;
    private double since;
    private double ahead;
    private double olderWeight;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPredictEveryBodyByTheFormula(boolean known) {
        Interpolator interpolator = new Interpolator(Interpolation.DEFAULT.lookAhead(2));
        isKnown = known;
        for (int i = 0; i < BODIES; i++) {
            rotations[i] = Exact.randomRotation(random);
        }
        for (int tick = 1; tick <= 300; tick++) {
            last.tick(this::move);
            for (int frame = 0; tick > 3 && frame < 4; frame++) {
                float alpha = random.nextInt(4) == 0 ? 0 : (float) random.nextDouble(0.3);
                ahead = (float) random.nextDouble(0.05, 2);
                since = alpha + ahead;
                double faded = Math.min(1, alpha / Math.min(0.25, ahead));
                olderWeight = 1 - faded * faded * (3 - 2 * faded);
                interpolator.show(
                        known ? last.beforePrevious : last.previous, last.previous, last.current, alpha, (float) ahead);
                check(interpolator.block(0));
            }
        }
    }

    /**
     * Moves each body by 0.5 to 1 m along each axis, and rotates it by up to 720 degrees. In some ticks a body teleports: near its place,
     * or far away and back.
     */
    private void move(PoseWriter poses) {
        poses.bodyCount(BODIES);
        if (random.nextInt(20) == 0) {
            poses.origin(random.nextInt(100), 0, 0);
        }
        for (int i = 0; i < BODIES; i++) {
            boolean turnsFast = random.nextInt(4) > 0;
            turns[i] = turnsFast ? random.nextDouble(-4, 4) * Math.PI : random.nextDouble(-0.3, 0.3);
            rotations[i] = Exact.turned(rotations[i], AXIS, turns[i]);
            for (int axis = 0; axis < 3; axis++) {
                places[i][axis] += random.nextDouble(0.5, 1) * (random.nextInt(9) == 0 ? -1 : 1);
            }
            if (random.nextInt(3) == 0) {
                float x = isFar[i] ? -FAR : FAR;
                isFar[i] = !isFar[i];
                places[i][0] += x;
                poses.teleportBy(i, x, 0, 0);
            }
            if (random.nextInt(3) == 0) {
                poses.teleport(i);
            }
            float[] q = {0, 0, 0, 0};
            for (int k = 0; k < 4; k++) {
                q[k] = (float) rotations[i][k];
            }
            double[] place = places[i];
            poses.set(i, (float) place[0], (float) place[1], (float) place[2], q[0], q[1], q[2], q[3]);
            double speed = turns[i] / TICK_SECONDS;
            poses.angularVelocity(i, (float) (speed * AXIS[0]), (float) (speed * AXIS[1]), (float) (speed * AXIS[2]));
        }
    }

    private void check(PoseBlock shown) {
        for (int i = 0; i < BODIES; i++) {
            String body =
                    "body " + i + " in tick " + last.current.tick() + ", " + since + " ticks after the previous one";
            double x = shown.px[i] + (since < 1 ? last.previous : last.current).originX();
            PoseBlock p = last.previous.poses().block(0);
            PoseBlock q = last.current.poses().block(0);
            boolean isOld = since < 1 && has(last.current, Kind.BROKEN, i);
            float largest = Math.max(Math.abs(p.px[i]), isOld ? 0 : Math.abs(q.px[i])); // determines the rounding
            assertThat(x).as(body).isCloseTo(place(i), within(2e-4 + 4.0 * Math.ulp(largest)));
            double[] rotation = {shown.qx[i], shown.qy[i], shown.qz[i], shown.qw[i]};
            double[] expected = rotation(i);
            double off = Exact.angleBetween(rotation, expected);
            assertThat(Math.min(off, Math.abs(off - Math.PI))).as(body).isLessThan(1e-4);
        }
    }

    private double place(int i) {
        double p = x(last.previous, i);
        double q = x(last.current, i);
        double jump = jump(last.current, i);
        double way = q - p - jump;
        double wayBefore = has(last.previous, Kind.BROKEN, i) || !isKnown
                ? 0
                : p - x(last.beforePrevious, i) - jump(last.previous, i);
        if (has(last.current, Kind.BROKEN, i)) {
            return since < 1 ? p + wayBefore * ahead : q;
        }
        double shown = p + jump + way * since;
        return isKnown ? shown + (p + jump + wayBefore * since - shown) * olderWeight : shown;
    }

    private double[] rotation(int i) {
        double[] p = Exact.rotation(last.previous.poses(), i);
        double[] q = Exact.rotation(last.current.poses(), i);
        boolean rested = has(last.previous, Kind.BROKEN, i);
        double[] r = rested || !isKnown ? p : Exact.rotation(last.beforePrevious.poses(), i);
        if (has(last.current, Kind.BROKEN, i)) {
            return since < 1 ? normalised(added(p, added(p, r, -1), ahead)) : q;
        }
        double[] spin = spin(last.current, i);
        if (spin != null) {
            return turned(p, spin);
        }
        double part = isKnown ? olderWeight : 0;
        double[] shown = added(q, added(q, p, -1), since - 1);
        return normalised(added(Exact.scaled(shown, 1 - part), added(p, added(p, r, -1), since), part));
    }

    private double[] turned(double[] p, double[] vector) {
        double angle = Math.sqrt(Exact.dot(vector, vector));
        return Exact.turned(p, Exact.scaled(vector, 1 / angle), angle * since);
    }

    private static double[] normalised(double[] q) {
        return Exact.scaled(q, 1 / Math.sqrt(Exact.dot(q, q)));
    }

    private static double[] added(double[] a, double[] b, double part) {
        double[] sum = a.clone();
        for (int k = 0; k < sum.length; k++) {
            sum[k] += b[k] * part;
        }
        return sum;
    }

    private static double x(Snapshot snapshot, int i) {
        return snapshot.poses().block(0).px[i] + snapshot.originX();
    }

    private static double jump(Snapshot snapshot, int i) {
        int s = find(snapshot, Kind.SHIFTED, i);
        return s < 0 ? 0 : snapshot.motion(0).breaks().x(s);
    }

    private static double @Nullable [] spin(Snapshot snapshot, int i) {
        int s = find(snapshot, Kind.SPINNING, i);
        MotionBreaks breaks = snapshot.motion(0).breaks();
        return s < 0 ? null : new double[] {breaks.x(s), breaks.y(s), breaks.z(s)};
    }

    private static boolean has(Snapshot snapshot, Kind kind, int i) {
        return find(snapshot, kind, i) >= 0;
    }

    private static int find(Snapshot snapshot, Kind kind, int i) {
        MotionBlock motion = snapshot.motion(0);
        int found = -1;
        for (int s = 0; s < motion.breaks().count(); s++) {
            found = motion.breaks().index(s) == i && motion.breaks().kind(s) == kind ? s : found;
        }
        return found;
    }
}
