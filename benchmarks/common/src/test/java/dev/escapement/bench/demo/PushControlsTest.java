package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PushControlsTest {

    private static final double DT_SECONDS = 0.01;

    private final World world = new World();
    private final PushControls controls = new PushControls(world);
    private final InputRing ring = new InputRing(64, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);

    @BeforeEach
    void placeBodies() {
        for (int body = 0; body < World.BODIES; body++) {
            world.x[body] = 3 * body;
        }
    }

    /** Pushes with any bits, because a program without a key may send them. */
    @Test
    void shouldPushNoFasterThanThereIsRoomFor() {
        SplittableRandom random = new SplittableRandom(1);
        float[] ends = {1e9f, -1e9f, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NaN};
        for (int i = 0; i < 1000; i++) {
            float push = i < ends.length ? ends[i] : Float.intBitsToFloat(random.nextInt());
            Arrays.fill(world.vx, 0);
            Arrays.fill(world.vy, 0);
            tick(InputKind.APPLICATION, PushControls.PUSH_ONE, Float.intBitsToFloat(random.nextInt()), push);
            tick(InputKind.POINTER_DOWN, 0, Float.intBitsToFloat(random.nextInt()), push);
            for (int body = 0; body < World.BODIES; body++) {
                assertThat(Math.abs(world.vx[body])).isLessThanOrEqualTo(120);
                assertThat(Math.abs(world.vy[body])).isLessThanOrEqualTo(120);
            }
        }
    }

    private void tick(InputKind kind, int code, float x, float y) {
        ring.offer(0, kind, code, x, y);
        controls.apply(sampler.sample(0, 0), DT_SECONDS);
    }

    private static final class World implements Pushable {

        static final int BODIES = 4;
        final double[] x = new double[BODIES];
        final double[] vx = new double[BODIES];
        final double[] vy = new double[BODIES];

        @Override
        public int bodyCount() {
            return BODIES;
        }

        @Override
        public int pushableCount() {
            return BODIES;
        }

        @Override
        public Vector3dc position(int body) {
            return new Vector3d(x[body], 0, 0);
        }

        @Override
        public void push(int body, double dvx, double dvy, double dvz) {
            vx[body] += dvx;
            vy[body] += dvy;
        }
    }
}
