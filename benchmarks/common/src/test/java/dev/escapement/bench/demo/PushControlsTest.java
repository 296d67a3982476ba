package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.ManualClock;
import java.util.SplittableRandom;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.junit.jupiter.api.Test;

class PushControlsTest {

    private final InputRing ring = new InputRing(64, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);
    private final Vector3d pushed = new Vector3d();
    private final PushControls controls = new PushControls(new Pushable() {
        @Override
        public int bodyCount() {
            return 1;
        }

        @Override
        public int pushableCount() {
            return 1;
        }

        @Override
        public Vector3dc position(int body) {
            return new Vector3d();
        }

        @Override
        public void push(int body, double dvx, double dvy, double dvz) {
            pushed.add(dvx, dvy, dvz);
        }
    });

    /** Pushes with floats of random bits, such as NaN, because any program may send such events. */
    @Test
    void shouldPushNoFasterThanThereIsRoomFor() {
        SplittableRandom random = new SplittableRandom(1);
        float[] ends = {1e9f, -1e9f, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NaN};
        for (int i = 0; i < 1000; i++) {
            float push = i < ends.length ? ends[i] : Float.intBitsToFloat(random.nextInt());
            pushed.zero();
            tick(InputKind.APPLICATION, PushControls.PUSH_ONE, Float.intBitsToFloat(random.nextInt()), push);
            tick(InputKind.POINTER_DOWN, 0, Float.intBitsToFloat(random.nextInt()), push);
            assertThat(pushed.length()).isLessThanOrEqualTo(160);
        }
    }

    private void tick(InputKind kind, int code, float x, float y) {
        ring.offer(0, kind, code, x, y);
        controls.apply(sampler.sample(0, 0), 0.01);
    }
}
