package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/**
 * A pose as {@value #NUMBERS} whole numbers, and what they are predicted to be from two earlier ticks. All arithmetic is that of whole
 * numbers, or single operations of IEEE 754, so that both sides get the same bits on all platforms.
 *
 * <p>Rounded: the position in units of twice its bound; the three smaller components of the rotation, with the sign for which the largest
 * is positive; which one that is (Glenn Fiedler, "Snapshot compression", 2015). Exact: the bits of the seven floats.
 */
abstract class PoseCode {

    /** How many numbers a pose has. */
    static final int NUMBERS = 7;

    /** Which of a rounded pose's numbers says which component of its rotation is the largest. */
    static final int LARGEST = 6;

    static PoseCode of(WireFormat format) {
        return format.isExact() ? new Exact() : new Rounded(format);
    }

    /** Codes the pose at an index of a block. False if the position is beyond what can be coded. */
    abstract boolean code(PoseBlock from, int index, int[][] to, int slot);

    /** Writes the pose that some numbers mean. */
    abstract void decode(int[][] from, int slot, PoseBlock to, int index);

    /** What was predicted last: position and four components of a rotation in units of 2^-15, or the bits of seven floats. */
    final int[] predicted = new int[NUMBERS];

    /** How much the last prediction moved from the base: 0 at rest, up to {@value #MOST_SPEED}. */
    int speed;

    static final int MOST_SPEED = 7;

    /**
     * Predicts a pose.
     *
     * @param base    an earlier tick
     * @param before  a tick before that, or the same for a body at rest
     * @param ahead   how many ticks to look ahead from the base
     * @param between how many ticks lie between the two
     */
    abstract void predict(int[][] base, int[][] before, int slot, int ahead, int between);

    /** Predicts the pose of a new body: near the one that was coded last. */
    abstract void predictNew();

    /** Nothing was coded before. */
    void forget() {
        Arrays.fill(predicted, 0);
    }

    /** Codes by how much a pose differs from what was predicted. Takes {@link #CONTEXTS} contexts. */
    abstract void codeRest(BitCoder coder, int first, int[][] poses, int slot);

    /** How many contexts the rest of a pose needs. */
    static final int CONTEXTS = 3 * 8 + 110 * BitCoder.CONTEXTS_PER_NUMBER;

    private static final class Exact extends PoseCode {

        @Override
        boolean code(PoseBlock from, int index, int[][] to, int slot) {
            to[0][slot] = Float.floatToRawIntBits(from.px[index]);
            to[1][slot] = Float.floatToRawIntBits(from.py[index]);
            to[2][slot] = Float.floatToRawIntBits(from.pz[index]);
            to[3][slot] = Float.floatToRawIntBits(from.qx[index]);
            to[4][slot] = Float.floatToRawIntBits(from.qy[index]);
            to[5][slot] = Float.floatToRawIntBits(from.qz[index]);
            to[6][slot] = Float.floatToRawIntBits(from.qw[index]);
            return true;
        }

        @Override
        void decode(int[][] from, int slot, PoseBlock to, int index) {
            to.set(
                    index,
                    Float.intBitsToFloat(from[0][slot]),
                    Float.intBitsToFloat(from[1][slot]),
                    Float.intBitsToFloat(from[2][slot]),
                    Float.intBitsToFloat(from[3][slot]),
                    Float.intBitsToFloat(from[4][slot]),
                    Float.intBitsToFloat(from[5][slot]),
                    Float.intBitsToFloat(from[6][slot]));
        }

        @Override
        void predict(int[][] base, int[][] before, int slot, int ahead, int between) {
            speed = 0;
            for (int k = 0; k < NUMBERS; k++) {
                speed = base[k][slot] == before[k][slot] ? speed : MOST_SPEED;
                float from = Float.intBitsToFloat(base[k][slot]);
                float step = (from - Float.intBitsToFloat(before[k][slot])) * ahead;
                float value = from + step / between;
                predicted[k] = Float.isFinite(value) ? Float.floatToRawIntBits(value) : base[k][slot];
            }
        }

        @Override
        void predictNew() {
            // Near the one before: that is what was predicted and then coded.
        }

        @Override
        void codeRest(BitCoder coder, int first, int[][] poses, int slot) {
            for (int k = 0; k < NUMBERS; k++) {
                int context = first + k * BitCoder.CONTEXTS_PER_NUMBER;
                predicted[k] += coder.number(context, poses[k][slot] - predicted[k], 0);
                poses[k][slot] = predicted[k];
            }
        }
    }

    private static final class Rounded extends PoseCode {

        /** Differences of positions fit an int. */
        private static final int MOST_UNITS = 1 << 29;

        /** Rotations are predicted in units of 2^-15. */
        private static final int UNIT_BITS = 15;

        private static final int UNIT = 1 << UNIT_BITS;

        /** Classes of motion, by how many bits it has; new bodies are in the last one. */
        private static final int MOST_BITS = 9;

        private static final int FAR = 1 << MOST_BITS;

        /** Classes of how much larger the largest component is than the next one, a 20th of a unit each. */
        private static final int GAPS = 8;

        private static final int GAP_SCALE = 20;
        private static final double LARGEST_SMALLER = Math.sqrt(0.5);

        /** The angle that one component may be off, for an error of 1 in each of three. */
        private static final double ANGLE_PER_STEP = 2 * Math.sqrt(3);

        private final float metresPerUnit;
        private final double unitsPerMetre;
        private final int most;
        private final float codesPerUnit;

        /** Components in units of 2^-15, by their code. */
        private final int[] components;

        /** By how much each coordinate of the last prediction moved from the base, and how far it turned, in the units of the codes. */
        private final int[] step = new int[3];

        private int spin;

        /** The position that was coded last. */
        private final int[] last = new int[3];

        private final int[] from = new int[4];
        private final int[] earlier = new int[4];

        Rounded(WireFormat format) {
            metresPerUnit = 2 * format.maxPositionErrorMetres();
            unitsPerMetre = 1.0 / metresPerUnit;
            // Half a step off in each of three components, and what that makes of the largest one: at most twice as
            // long.
            double step = format.maxRotationErrorRadians() / ANGLE_PER_STEP;
            most = (int) Math.ceil(LARGEST_SMALLER / step);
            codesPerUnit = (float) (most / LARGEST_SMALLER);
            components = new int[2 * most + 1];
            for (int code = -most; code <= most; code++) {
                components[code + most] = (int) Math.round(code * LARGEST_SMALLER * UNIT / most);
            }
        }

        @Override
        boolean code(PoseBlock poses, int index, int[][] to, int slot) {
            int x = (int)
                    Math.rint(poses.px[index] * unitsPerMetre); // beyond an int: the nearest one, which is refused
            int y = (int) Math.rint(poses.py[index] * unitsPerMetre);
            int z = (int) Math.rint(poses.pz[index] * unitsPerMetre);
            to[0][slot] = x;
            to[1][slot] = y;
            to[2][slot] = z;
            float qx = poses.qx[index];
            float qy = poses.qy[index];
            float qz = poses.qz[index];
            float qw = poses.qw[index];
            float ax = Math.abs(qx);
            float ay = Math.abs(qy);
            float az = Math.abs(qz);
            float aw = Math.abs(qw);
            if (aw >= ax && aw >= ay && aw >= az) {
                rotation(to, slot, 3, qw, qx, qy, qz);
            } else if (ax >= ay && ax >= az) {
                rotation(to, slot, 0, qx, qy, qz, qw);
            } else if (ay >= az) {
                rotation(to, slot, 1, qy, qx, qz, qw);
            } else {
                rotation(to, slot, 2, qz, qx, qy, qw);
            }
            return ((x + MOST_UNITS)
                            | (MOST_UNITS - x)
                            | (y + MOST_UNITS)
                            | (MOST_UNITS - y)
                            | (z + MOST_UNITS)
                            | (MOST_UNITS - z))
                    >= 0;
        }

        private void rotation(int[][] to, int slot, int largest, float sign, float a, float b, float c) {
            float scale = sign < 0 ? -codesPerUnit : codesPerUnit;
            to[3][slot] = component(a * scale);
            to[4][slot] = component(b * scale);
            to[5][slot] = component(c * scale);
            to[LARGEST][slot] = largest;
        }

        private int component(float scaled) {
            return Math.max(-most, Math.min(most, Math.round(scaled)));
        }

        @Override
        void decode(int[][] codes, int slot, PoseBlock to, int index) {
            float a = codes[3][slot] / codesPerUnit;
            float b = codes[4][slot] / codesPerUnit;
            float c = codes[5][slot] / codesPerUnit;
            float rest = (float) Math.sqrt(Math.max(0, 1 - (a * a + b * b + c * c)));
            to.px[index] = codes[0][slot] * metresPerUnit;
            to.py[index] = codes[1][slot] * metresPerUnit;
            to.pz[index] = codes[2][slot] * metresPerUnit;
            int largest = codes[LARGEST][slot];
            to.qx[index] = largest == 0 ? rest : a;
            to.qy[index] = largest == 1 ? rest : largest == 0 ? a : b;
            to.qz[index] = largest == 2 ? rest : largest == 3 ? c : b;
            to.qw[index] = largest == 3 ? rest : c;
        }

        @Override
        void predict(int[][] base, int[][] before, int slot, int ahead, int between) {
            int most = 0;
            for (int k = 0; k < 3; k++) {
                step[k] = scaled(base[k][slot] - before[k][slot], ahead, between);
                predicted[k] = base[k][slot] + step[k];
                most = Math.max(most, Math.abs(step[k]));
            }
            components(base, slot, from);
            spin = 0;
            if (before == base || isSameRotation(base, before, slot)) {
                System.arraycopy(from, 0, predicted, 3, 4);
            } else {
                components(before, slot, earlier);
                turn(ahead, between);
            }
            speed = Math.min(MOST_SPEED, bits(most + spin));
        }

        @Override
        void forget() {
            super.forget();
            Arrays.fill(last, 0);
        }

        @Override
        void predictNew() {
            System.arraycopy(last, 0, predicted, 0, 3);
            Arrays.fill(predicted, 3, 6, 0);
            predicted[6] = UNIT;
            System.arraycopy(predicted, 3, from, 0, 4);
            Arrays.fill(step, FAR);
            spin = FAR;
        }

        /** Goes on with the turn from the earlier tick to the base. */
        private void turn(int ahead, int between) {
            // base * conjugate(earlier): its vector is the axis times the sine of half the angle.
            int[] q = from;
            int[] e = earlier;
            long x = -(long) q[3] * e[0] + (long) q[0] * e[3] - (long) q[1] * e[2] + (long) q[2] * e[1];
            long y = -(long) q[3] * e[1] + (long) q[0] * e[2] + (long) q[1] * e[3] - (long) q[2] * e[0];
            long z = -(long) q[3] * e[2] - (long) q[0] * e[1] + (long) q[1] * e[0] + (long) q[2] * e[3];
            long w = (long) q[3] * e[3] + (long) q[0] * e[0] + (long) q[1] * e[1] + (long) q[2] * e[2];
            int sign = w < 0 ? -1 : 1;
            // The tangent of a quarter of the angle is nearly half that sine. It is scaled instead of the angle, and
            // gives a
            // rotation without sines: ((1 - t^2), 2 t) / (1 + t^2).
            long tx = scaled(sign * (int) (x >> (UNIT_BITS + 1)), ahead, between);
            long ty = scaled(sign * (int) (y >> (UNIT_BITS + 1)), ahead, between);
            long tz = scaled(sign * (int) (z >> (UNIT_BITS + 1)), ahead, between);
            long square = tx * tx + ty * ty + tz * tz;
            long cosine = ((1L << (2 * UNIT_BITS)) - square) >> (UNIT_BITS + 1);
            long norm = ((1L << (2 * UNIT_BITS)) + square) >> (UNIT_BITS + 1);
            predicted[3] = (int) ((tx * q[3] + cosine * q[0] + ty * q[2] - tz * q[1]) / norm);
            predicted[4] = (int) ((ty * q[3] + cosine * q[1] + tz * q[0] - tx * q[2]) / norm);
            predicted[5] = (int) ((tz * q[3] + cosine * q[2] + tx * q[1] - ty * q[0]) / norm);
            predicted[6] = (int) ((cosine * q[3] - tx * q[0] - ty * q[1] - tz * q[2]) / norm);
            spin = Math.abs(codeOf(2 * (int) Math.max(Math.abs(tx), Math.max(Math.abs(ty), Math.abs(tz)))));
        }

        @Override
        void codeRest(BitCoder coder, int first, int[][] poses, int slot) {
            int numbers = first + 3 * GAPS;
            int largestRest = 0;
            for (int k = 0; k < 3; k++) {
                int context = 4 * Math.min(MOST_BITS, bits(step[k])) + Math.min(3, bits(largestRest) / 2);
                int sign = step[k] < 0 ? 1 : step[k] > 0 ? 2 : 0;
                int rest = coder.number(
                        numbers + context * BitCoder.CONTEXTS_PER_NUMBER, poses[k][slot] - predicted[k], sign);
                poses[k][slot] = predicted[k] + rest;
                last[k] = poses[k][slot];
                largestRest = Math.max(largestRest, Math.abs(rest));
            }
            int largest = codeLargest(coder, first, poses[LARGEST][slot]);
            poses[LARGEST][slot] = largest;
            int flip = predicted[3 + largest] < 0 ? -1 : 1;
            numbers += 4 * (MOST_BITS + 1) * BitCoder.CONTEXTS_PER_NUMBER;
            int spinContext = 7 * Math.min(MOST_BITS, bits(spin));
            largestRest = 0;
            int k = 3;
            for (int component = 0; component < 4; component++) {
                if (component != largest) {
                    int wanted = Math.max(-most, Math.min(most, codeOf(flip * predicted[3 + component])));
                    int way = flip * (predicted[3 + component] - from[component]);
                    int context = spinContext + (k == 3 ? 0 : 1 + Math.min(5, bits(largestRest)));
                    int rest = coder.number(
                            numbers + context * BitCoder.CONTEXTS_PER_NUMBER,
                            poses[k][slot] - wanted,
                            way < 0 ? 1 : way > 0 ? 2 : 0);
                    poses[k][slot] = wanted + rest;
                    largestRest = Math.max(largestRest, Math.abs(rest));
                    k++;
                }
            }
        }

        /** Codes which component is the largest: mostly the one predicted, or the next one if that is nearly as large. */
        private int codeLargest(BitCoder coder, int first, int largest) {
            int likely = 0;
            for (int k = 1; k < 4; k++) {
                likely = size(k) > size(likely) ? k : likely;
            }
            int next = likely == 0 ? 1 : 0;
            for (int k = 0; k < 4; k++) {
                next = k != likely && size(k) > size(next) ? k : next;
            }
            int context = first + 3 * Math.min(GAPS - 1, (GAP_SCALE * (size(likely) - size(next))) >> UNIT_BITS);
            if (coder.bit(context, largest == likely ? 0 : 1) == 0) {
                return likely;
            }
            if (coder.bit(context + 1, largest == next ? 0 : 1) == 0) {
                return next;
            }
            int third = 0;
            while (third == likely || third == next) {
                third++;
            }
            int fourth = 6 - likely - next - third;
            return coder.bit(context + 2, largest == third ? 0 : 1) == 0 ? third : fourth;
        }

        private int size(int component) {
            return Math.abs(predicted[3 + component]);
        }

        /** How many bits a number has. */
        private static int bits(int number) {
            return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(number));
        }

        private static boolean isSameRotation(int[][] base, int[][] before, int slot) {
            return base[3][slot] == before[3][slot]
                    && base[4][slot] == before[4][slot]
                    && base[5][slot] == before[5][slot]
                    && base[LARGEST][slot] == before[LARGEST][slot];
        }

        /** The four components of a rotation, in units of 2^-15. */
        private void components(int[][] codes, int slot, int[] to) {
            int largest = codes[LARGEST][slot] & 3;
            long rest = 1L << (2 * UNIT_BITS);
            int k = 3;
            for (int component = 0; component < 4; component++) {
                if (component != largest) {
                    int code = Math.max(-most, Math.min(most, codes[k++][slot]));
                    to[component] = components[code + most];
                    rest -= (long) to[component] * to[component];
                }
            }
            to[largest] = (int) Math.sqrt((double) Math.max(0, rest)); // exact for so small numbers
        }

        /** The code of a component in units of 2^-15. */
        private int codeOf(int component) {
            return Math.round(component * (codesPerUnit / UNIT));
        }
    }

    /** A difference that goes on for so many ticks, rounded to the nearest. */
    static int scaled(int difference, int ahead, int between) {
        return ahead == between ? difference : (int) Math.floorDiv(2L * difference * ahead + between, 2L * between);
    }
}
