package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/**
 * A pose as whole numbers, and what they are predicted to be from two earlier ticks. All arithmetic is that of whole numbers, or single
 * operations of IEEE 754, so that both sides get the same bits on all platforms.
 *
 * <p>Rounded: the position in units of twice its bound; the three smaller components of the rotation, with the sign for which the largest
 * is positive; and which one is the largest, whose value follows from them (Glenn Fiedler, "Snapshot compression", 2015). Exact: the bits
 * of the seven floats, and 0.
 */
abstract class PoseCode {

    /** How many numbers a pose has. */
    static final int NUMBERS = 8;

    /** Which of a rounded pose's numbers says which component of its rotation is the largest. */
    static final int LARGEST = 7;

    static PoseCode of(WireFormat format) {
        return format.isExact() ? new Exact() : new RoundedPoseCode(format);
    }

    /** Codes any pose at an index of a block. Returns whether it {@link #isClamped}. */
    abstract boolean code(PoseBlock from, int index, int[] to, int at);

    /** Whether numbers mean a position at the edge of what can be coded: the body is there, or beyond it. */
    abstract boolean isClamped(int[] codes, int at);

    /** The coordinate that a number of a position means, in metres from the origin. */
    abstract double metres(int number);

    /** Writes the pose that some numbers mean. */
    abstract void decode(int[] from, int at, PoseBlock to, int index);

    /** How much the last prediction moved from the base: 0 at rest, up to {@value #MAX_SPEED}. */
    int speed;

    static final int MAX_SPEED = 7;

    /**
     * Begins to code poses of a tick.
     *
     * @param ahead how far predictions look ahead from the base, as a multiple of the time between the tick before it and the base
     */
    abstract void begin(double ahead);

    /**
     * Sets by how much the positions of earlier ticks, in metres, differ from those of the tick that is coded, because the origin moved.
     * Nothing, if the prediction does not look at that.
     *
     * @param base   x, y and z to add to those of the base
     * @param before to those of the tick before it
     */
    void shift(double[] base, double[] before) {}

    /**
     * Predicts a pose.
     *
     * @param base   the poses of an earlier tick
     * @param before those of a tick before that, or the same for a body at rest
     */
    abstract void predict(int[] base, int[] before, int at);

    /** Predicts the pose of a new body: near the one that was coded last. */
    abstract void predictNew();

    /** Codes by how much a pose differs from what was predicted. Takes {@link #CONTEXTS} contexts. */
    abstract void codeRest(BitCoder coder, int first, int[] poses, int at);

    /** How many contexts the rest of a pose needs: for the largest component, very large differences, and all others. */
    static final int CONTEXTS = 3 * 8 + BitCoder.CONTEXTS_PER_NUMBER + 180;

    private static final class Exact extends PoseCode {

        private static final int FLOATS = 7;
        private final int[] predicted = new int[FLOATS];
        private final int[] rests = new int[3];
        private double ahead;

        @Override
        boolean code(PoseBlock from, int index, int[] to, int at) {
            to[at] = Float.floatToRawIntBits(from.px[index]);
            to[at + 1] = Float.floatToRawIntBits(from.py[index]);
            to[at + 2] = Float.floatToRawIntBits(from.pz[index]);
            to[at + 3] = Float.floatToRawIntBits(from.qx[index]);
            to[at + 4] = Float.floatToRawIntBits(from.qy[index]);
            to[at + 5] = Float.floatToRawIntBits(from.qz[index]);
            to[at + 6] = Float.floatToRawIntBits(from.qw[index]);
            return false;
        }

        @Override
        boolean isClamped(int[] codes, int at) {
            return false;
        }

        @Override
        double metres(int number) {
            return Float.intBitsToFloat(number);
        }

        @Override
        void decode(int[] from, int at, PoseBlock to, int index) {
            to.set(
                    index,
                    Float.intBitsToFloat(from[at]),
                    Float.intBitsToFloat(from[at + 1]),
                    Float.intBitsToFloat(from[at + 2]),
                    Float.intBitsToFloat(from[at + 3]),
                    Float.intBitsToFloat(from[at + 4]),
                    Float.intBitsToFloat(from[at + 5]),
                    Float.intBitsToFloat(from[at + 6]));
        }

        @Override
        void begin(double newAhead) {
            ahead = newAhead;
            Arrays.fill(predicted, 0);
        }

        @Override
        void predict(int[] base, int[] before, int at) {
            speed = 0;
            for (int k = 0; k < FLOATS; k++) {
                speed = base[at + k] == before[at + k] ? speed : MAX_SPEED;
                float from = Float.intBitsToFloat(base[at + k]);
                float value = (float) (from + (from - Float.intBitsToFloat(before[at + k])) * ahead);
                predicted[k] = Float.isFinite(value) ? Float.floatToRawIntBits(value) : base[at + k];
            }
        }

        @Override
        void predictNew() {
            // Near the one before: that is what was predicted and then coded.
        }

        @Override
        void codeRest(BitCoder coder, int first, int[] poses, int at) {
            int number = first + BitCoder.CONTEXTS_PER_NUMBER;
            for (int k = 0; k < FLOATS - 1; k += 3) {
                for (int i = 0; i < 3; i++) {
                    rests[i] = poses[at + k + i] - predicted[k + i];
                }
                coder.rests(number + k, first, rests);
                for (int i = 0; i < 3; i++) {
                    predicted[k + i] += rests[i];
                }
            }
            predicted[FLOATS - 1] += coder.number(number + FLOATS, poses[at + FLOATS - 1] - predicted[FLOATS - 1]);
            System.arraycopy(predicted, 0, poses, at, FLOATS);
        }
    }
}
