package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks the bits of poses against a constant that is the same on every JDK and every processor. */
class SameBitsTest {

    private static final long GOLDEN = -3828737839641702336L;

    private static final int BODIES = 1500;

    /** Runs the test for {@code .ci/aarch64}, where there is no test runner. */
    @SuppressWarnings("JUnitMethodInvoked")
    public static void main(String[] args) {
        new SameBitsTest().shouldComputeTheGoldenBits();
    }

    @Test
    void shouldComputeTheGoldenBits() {
        SplittableRandom random = new SplittableRandom(11);
        Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
        CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        Snapshot previous = world.tick(poses -> poses.bodyCount(0));
        long hash = 1;
        for (int tick = 0; tick < 12; tick++) {
            double largestTurn = tick * 0.3;
            Snapshot before = previous;
            Snapshot current = world.tick(poses -> move(poses, before, largestTurn, random));
            for (float alpha : new float[] {0, 0.13f, 0.5f, 0.91f, 1}) {
                interpolator.show(previous, current, alpha);
                FloatBuffer out = new InstanceBuffer().write(interpolator, 0.1, 0.2, 0.3);
                while (out.hasRemaining()) {
                    hash = hash * 0x9E3779B97F4A7C15L + Float.floatToRawIntBits(out.get());
                }
            }
            previous = current;
        }
        assertThat(hash).isEqualTo(GOLDEN);
    }

    private static void move(PoseWriter poses, Snapshot before, double largestTurn, SplittableRandom random) {
        poses.bodyCount(BODIES);
        for (int body = 0; body < BODIES; body++) {
            // Rotations are products of quaternions, without sines, which differ from machine to machine.
            float[] turn = unit(random, largestTurn);
            float[] q = turn;
            if (body < before.poses().slotCount()) {
                PoseBlock p = before.poses().blockOf(body);
                int i = body & PoseBlock.MASK;
                q = product(turn, p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
            float x = (float) random.nextDouble(-10, 10);
            poses.set(body, x, body, x * body, q[0], q[1], q[2], q[3]);
            if (body % 97 == 0) {
                poses.angularVelocity(body, 1000, body, x);
            }
            if (body % 89 == 0 && body < before.poses().slotCount()) {
                poses.teleportBy(body, x, 1, 2);
            }
        }
    }

    private static float[] unit(SplittableRandom random, double spread) {
        double x = spread * (2 * random.nextDouble() - 1);
        double y = spread * (2 * random.nextDouble() - 1);
        double z = spread * (2 * random.nextDouble() - 1);
        double scale = 1 / Math.sqrt(x * x + y * y + z * z + 1);
        return new float[] {(float) (x * scale), (float) (y * scale), (float) (z * scale), (float) scale};
    }

    private static float[] product(float[] a, float bx, float by, float bz, float bw) {
        return new float[] {
            a[3] * bx + a[0] * bw + a[1] * bz - a[2] * by,
            a[3] * by - a[0] * bz + a[1] * bw + a[2] * bx,
            a[3] * bz + a[0] * by - a[1] * bx + a[2] * bw,
            a[3] * bw - a[0] * bx - a[1] * by - a[2] * bz
        };
    }
}
