package dev.escapement.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Bits counted by hand, for bodies without rotation on the ground of Fiedler's scheme, 105 units high. */
class SchemesTest {

    private static final int STILL = 0;
    private static final int BASE = 1;
    private static final int TICK = 2;
    private static final int[] BASES = {-1, STILL, BASE};

    private final double[][] units = new double[3][4]; // of the first body: x, -z, y above the ground, and the angle

    @Test
    void shouldCountABitForEachBodyThatStaysInFiedlersScheme() {
        assertThat(fiedlerBits(2)).as("1 and 2, in bytes").isEqualTo(8);
        assertThat(fiedlerBits(40)).as("1 and 40, in bytes").isEqualTo(48);
    }

    @Test
    void shouldCountFiedlersCodesForPositions() {
        units[TICK][0] = 7;
        assertThat(fiedlerBits(40))
                .as("1, count 8, index 10, mark 1, small 14, rotation 8")
                .isEqualTo(48);
        units[TICK][0] = -8;
        units[TICK][1] = 16;
        assertThat(fiedlerBits(40)).as("1, 8, 10, 1, 3, in ranges 6 + 8 + 6, 8").isEqualTo(56);
        units[TICK][0] = 112;
        assertThat(fiedlerBits(40)).as("1, 8, 10, 1, 3, whole 33, 8").isEqualTo(64);
    }

    @Test
    void shouldExpectBodiesToGoOnAndSlowDownInFiedlersScheme() {
        units[BASE][0] = 100;
        units[TICK][0] = 100 + 93;
        assertThat(fiedlerBits(40))
                .as("100 less ceil(6.2), so that the rest is small")
                .isEqualTo(48);
        units[TICK][0] = 200;
        assertThat(fiedlerBits(40)).as("1, 8, 10, 1, small 14, 8").isEqualTo(48);
        units[TICK][0] = 201;
        assertThat(fiedlerBits(40))
                .as("8 too far: 1, 8, 10, 1, 3, ranges 6 + 6 + 6, 8")
                .isEqualTo(56);
        units[TICK][0] = 93 + 212;
        assertThat(fiedlerBits(40)).as("112 too far, whole").isEqualTo(64);
    }

    @Test
    void shouldExpectBodiesInTheAirToFallInFiedlersScheme() {
        units[STILL][2] = 200;
        units[BASE][2] = 200;
        units[TICK][2] = 200 - 3 - 8;
        assertThat(fiedlerBits(40)).as("small").isEqualTo(48);
        units[TICK][2]--;
        assertThat(fiedlerBits(40)).as("in ranges").isEqualTo(56);
    }

    @Test
    void shouldCountFiedlersCodesForRotations() {
        units[TICK][3] = 0.03;
        assertThat(fiedlerBits(40))
                .as("1, 8, 10, 1, unchanged 1, ranges 2 + 5 + 5 + 5")
                .isEqualTo(40);
        units[TICK][3] = Math.PI;
        assertThat(fiedlerBits(40))
                .as("another is the largest: 1, 8, 10, 1, 1, 30")
                .isEqualTo(56);
    }

    @Test
    void shouldCountIndicesByTheirDistance() {
        Trace trace = new Trace("made up", 60, 80, true);
        for (int tick = 0; tick < 3; tick++) {
            float[] poses = trace.newTick();
            for (int body = 0; body < 80; body++) {
                double x = tick == TICK && Set.of(0, 1, 3, 5, 7, 13, 27, 57).contains(body) ? 1 / 512.0 : 0;
                Trace.set(poses, body, x, 105 / 512.0, 0, 0, 0, 0, 1, 0);
            }
            trace.add(poses);
        }
        int bits = new FiedlerScheme(trace, BASES).bits(TICK);
        assertThat(bits)
                .as("1, 8, 10, then 1, 3 x 4, 4, 6, 8 for 1, 3 x 2, 6, 14, 30, and eight bodies of 23: 234")
                .isEqualTo(240);
    }

    @Test
    void shouldCountAWholeBitForADecisionOfWhichGiesensSchemeKnowsNothing() {
        assertThat(giesen(1).bits(TICK)).as("turned, moved, marked").isEqualTo(8);
        units[TICK][0] = 1;
        assertThat(giesen(1).bits(TICK))
                .as("1, 1, 5 + 1 + 1 for 1, then 4 x 0.907 + 1.099 and 4 x 0.823 + 0.999 for 0 and 0, 1: 19.03")
                .isEqualTo(24);
    }

    @Test
    void shouldLearnInGiesensSchemeAtTwoRatesAndFromTheBaseLine() {
        int fast = 1 << 13;
        int slow = 1 << 13;
        double[] bits = new double[2 * 40];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = -3 * Math.log(1 - (fast + slow) / 32_768.0) / Math.log(2);
            fast -= fast >> 3;
            slow -= slow >> 7;
        }
        for (int bodies = 1; bodies <= 40; bodies++) {
            GiesenScheme scheme = giesen(bodies);
            assertThat(scheme.bits(BASE)).isEqualTo(bytes(Arrays.stream(bits, 0, bodies)));
            assertThat(scheme.bits(TICK)).isEqualTo(bytes(Arrays.stream(bits, bodies, 2 * bodies)));
        }
    }

    private static int bytes(DoubleStream bits) {
        return (int) Math.ceil(bits.sum() / 8) * 8;
    }

    @Test
    void shouldCountWholeBodiesAsAbsoluteUpdates() {
        units[TICK][0] = 1;
        assertThat(Schemes.absoluteBits(quantised(1000), BASE)).isZero();
        assertThat(Schemes.absoluteBits(quantised(1000), TICK))
                .as("index, 3 coordinates, rotation, mark")
                .isEqualTo(10 + 43 + 29 + 1);
        assertThat(Schemes.absoluteBits(quantised(4), TICK))
                .as("a bit for each of 4 would be more")
                .isEqualTo(2 + 73);
    }

    @Test
    void shouldTakeTheNewestBaseLineThatArrived() {
        Trace trace = Trace.free(1, 1000);
        int[] without = Schemes.bases(trace, 0);
        int[] with = Schemes.bases(trace, 5);
        assertThat(Arrays.copyOf(without, 8)).containsExactly(-1, -1, -1, -1, -1, -1, 0, 1);
        int older = 0;
        for (int tick = 6; tick < 1000; tick++) {
            assertThat(without[tick]).isEqualTo(tick - 6);
            assertThat(with[tick]).isBetween(with[tick - 1], tick - 6);
            older += with[tick] < tick - 6 ? 1 : 0;
        }
        assertThat(older / 1000.0).isCloseTo(0.05, within(0.02));
    }

    private int fiedlerBits(int bodies) {
        return new FiedlerScheme(quantised(bodies), BASES).bits(TICK);
    }

    private GiesenScheme giesen(int bodies) {
        return new GiesenScheme(quantised(bodies), BASES);
    }

    private Trace quantised(int bodies) {
        Trace trace = new Trace("made up", 60, bodies, true);
        for (double[] first : units) {
            float[] poses = trace.newTick();
            for (int body = 0; body < bodies; body++) {
                double[] of = body == 0 ? first : new double[4];
                double z = -of[1] / 512;
                Trace.set(
                        poses,
                        body,
                        of[0] / 512,
                        (105 + of[2]) / 512,
                        z,
                        Math.sin(of[3] / 2),
                        0,
                        0,
                        Math.cos(of[3] / 2),
                        0);
            }
            trace.add(poses);
        }
        return trace;
    }
}
