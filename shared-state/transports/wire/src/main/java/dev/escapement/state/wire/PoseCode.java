package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/**
 * Codes poses as whole numbers, and predicts these numbers from two earlier ticks.
 *
 * <p>All arithmetic uses whole numbers or single operations of IEEE 754, so that both sides compute the same bits on all platforms.
 *
 * <p>A pose has eight numbers: three for the position, in units of twice the bound of its error; four for the components of the rotation,
 * with the sign for which the largest is positive; and the index of the largest component. That component is not sent, because its value
 * follows from the other three (Glenn Fiedler, "Snapshot compression", 2015).
 */
final class PoseCode {

    static final int NUMBERS = 8;

    /** A pose's number 7 is the index of the rotation's largest component. */
    private static final int LARGEST = 7;

    static final int MAX_SPEED = 7;

    /**
     * The number of contexts for the difference of a pose: for the index of the largest component, for very large differences, and for all
     * other differences.
     */
    static final int CONTEXTS = 3 * 8 + BitCoder.CONTEXTS_PER_NUMBER + 180;

    private static final int MAX_UNITS_BITS = 29;

    /** The limit of a coordinate in units; positions beyond it are coded as the limit, so differences fit an int. */
    private static final int MAX_UNITS = 1 << MAX_UNITS_BITS;

    /** The highest class of motion. A motion's class is the length in bits of its distance; new bodies have the highest class. */
    private static final int MAX_BITS = 9;

    /** The highest class of prediction errors of positions. A large error makes large ones likely for the rotation and the next body. */
    private static final int MAX_MISSED = 8;

    /** The number of classes of the gap between a rotation's two largest components, each 1/20 wide. */
    private static final int GAPS = 8;

    private static final int LARGEST_CONTEXTS = 3 * GAPS;
    private static final int GAP_SCALE = 20;
    private static final double LARGEST_SMALLER = Math.sqrt(0.5);

    /** The error of the rotation, in radians, if each of the three coded components is off by 1. */
    private static final double ANGLE_PER_STEP = 2 * Math.sqrt(3);

    private static final int INDEX = 3;
    private static final int SIGN = 4;
    private static final int SIGN_SHIFT = 29;
    private static final int SIZE = Integer.MAX_VALUE - INDEX;
    private static final double ROUNDING = 0x1.8p52;

    /** The number of bits of a rotation's length in fine steps, which predictions use: from 2^27 to 2^28. Sent steps are coarser. */
    private static final int LENGTH_BITS = 28;

    /** The number of fraction bits of the fixed-point factors in predictions. */
    private static final int FACTOR_BITS = 24;

    private static final long HALF_FACTOR = 1L << (FACTOR_BITS - 1);

    private final float metresPerUnit;
    private final double unitsPerMetre;
    private final int max;
    private final float codesPerUnit;

    /** The binary logarithm of how many fine steps make one step that is sent. */
    private final int fineBits;

    private final int halfStep;

    /** The length of a rotation, which is a unit quaternion, in fine steps. */
    private final double length;

    private final double perLength;
    private final double perSquare;
    private final double squaredLength;
    private final double squaredStep;
    private final long gapScale;

    // The time from the base to the predicted tick, as a multiple of the time from the tick before the base to the
    // base.
    private double ahead;
    private double halfAheadSquared;
    private long aheadFactor;

    /** The predicted position and rotation, and the classes of their motion from the base. */
    private final int[] position = new int[3];

    private final int[] rotation = new int[4];
    private int motion;
    private int spin;

    /** The motion of the origin in units, since the base and since the tick before the base. */
    private final int[] baseShift = new int[3];

    private final int[] beforeShift = new int[3];

    private final int[] rests = new int[3];

    /** The position that was coded last, and the class of its prediction error. */
    private final int[] last = new int[3];

    private int missed;

    /** The class of the last prediction's motion from the base: 0 at rest, up to {@value #MAX_SPEED}. */
    int speed;

    PoseCode(WireFormat format) {
        metresPerUnit = 2 * format.maxPositionErrorMetres();
        unitsPerMetre = 1.0 / metresPerUnit;
        // Rounding moves each of the three coded components by at most half a step, and so changes the largest, which
        // is computed from them. The rotation is off by at most twice the error of the three.
        double widest = format.maxRotationErrorRadians() / ANGLE_PER_STEP;
        max = (int) Math.ceil(LARGEST_SMALLER / widest);
        codesPerUnit = (float) (max / LARGEST_SMALLER);
        fineBits = LENGTH_BITS - 1 - Math.getExponent(codesPerUnit);
        halfStep = 1 << (fineBits - 1);
        length = codesPerUnit * (double) (1 << fineBits);
        perLength = 1 / length;
        perSquare = perLength * perLength;
        squaredLength = length * length;
        squaredStep = (double) (1 << fineBits) * (1 << fineBits);
        gapScale = (long) (GAP_SCALE * perLength * (1L << Integer.SIZE));
    }

    /** Codes the pose at an index of a block. Any floats are allowed; positions beyond the range of codes are moved to its edge. */
    void code(PoseBlock poses, int index, int[] to, int at) {
        double x = poses.px[index] * unitsPerMetre;
        double y = poses.py[index] * unitsPerMetre;
        double z = poses.pz[index] * unitsPerMetre;
        boolean isFar = Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z))) > MAX_UNITS - 1;
        if (isFar) {
            x = clamped(x);
            y = clamped(y);
            z = clamped(z);
        }
        to[at] = rounded(x);
        to[at + 1] = rounded(y);
        to[at + 2] = rounded(z);
        float a = poses.qx[index];
        float b = poses.qy[index];
        float c = poses.qz[index];
        float d = poses.qw[index];
        int top = Math.max(Math.max(ranked(a, 0), ranked(b, 1)), Math.max(ranked(c, 2), ranked(d, 3)));
        float scale = Float.intBitsToFloat(Float.floatToRawIntBits(codesPerUnit) | (top & SIGN) << SIGN_SHIFT);
        int codeA = limited(rounded(a * scale));
        int codeB = limited(rounded(b * scale));
        int codeC = limited(rounded(c * scale));
        int codeD = limited(rounded(d * scale));
        to[at + 3] = codeA << fineBits;
        to[at + 4] = codeB << fineBits;
        to[at + 5] = codeC << fineBits;
        to[at + 6] = codeD << fineBits;
        int largest = top & INDEX;
        long codeOfLargest = to[at + 3 + largest] >> fineBits;
        to[at + 3 + largest] = largest((long) codeA * codeA
                + (long) codeB * codeB
                + (long) codeC * codeC
                + (long) codeD * codeD
                - codeOfLargest * codeOfLargest);
        to[at + LARGEST] = largest;
    }

    private static double clamped(double units) {
        return Math.max(-MAX_UNITS, Math.min(MAX_UNITS, units));
    }

    /** Returns true if the position is at the edge of the range of codes: the body is there, or beyond it. */
    boolean isClamped(int[] codes, int at) {
        int reach = Math.abs(codes[at]) | Math.abs(codes[at + 1]) | Math.abs(codes[at + 2]);
        return reach >>> MAX_UNITS_BITS != 0;
    }

    /** Rounds to a whole number below 2^31: adds a constant so large that the sum has no bits for fractions. */
    private static int rounded(double value) {
        return (int) Double.doubleToRawLongBits(value + ROUNDING);
    }

    /**
     * Returns the size of a component, with its sign and index in the lowest bits. The results have the order of the sizes, because the
     * bits of positive floats have the order of the floats.
     */
    private static int ranked(float component, int index) {
        int bits = Float.floatToRawIntBits(component);
        return (bits & (SIZE - SIGN)) | (bits >>> (Integer.SIZE - 1) << 2) | index;
    }

    private int limited(int code) {
        return Math.max(-max, Math.min(max, code));
    }

    /** Computes the largest component in fine steps, from the sum of the squares of the others' codes. */
    private int largest(long squares) {
        return rounded(Math.sqrt(Math.max(0, squaredLength - (double) squares * squaredStep)));
    }

    /** Converts a number of a position to metres from the origin. */
    double metres(int number) {
        return number / unitsPerMetre;
    }

    /** Decodes the numbers of a pose into a block. */
    void decode(int[] codes, int at, PoseBlock to, int index) {
        to.px[index] = codes[at] * metresPerUnit;
        to.py[index] = codes[at + 1] * metresPerUnit;
        to.pz[index] = codes[at + 2] * metresPerUnit;
        to.qx[index] = (float) (codes[at + 3] * perLength);
        to.qy[index] = (float) (codes[at + 4] * perLength);
        to.qz[index] = (float) (codes[at + 5] * perLength);
        to.qw[index] = (float) (codes[at + 6] * perLength);
    }

    /**
     * Begins to code poses of a tick.
     *
     * @param newAhead the time from the base to the predicted tick, as a multiple of the time from the tick before the base to the base
     */
    void begin(double newAhead) {
        ahead = newAhead;
        halfAheadSquared = newAhead * newAhead / 4;
        aheadFactor = factor(newAhead);
        Arrays.fill(last, 0);
        missed = 0;
    }

    private static long factor(double value) {
        return rounded(value * (1 << FACTOR_BITS));
    }

    /**
     * Sets the shifts of the origin from two earlier ticks to the coded tick.
     *
     * @param base   x, y and z to add to positions of the base, metres
     * @param before x, y and z to add to positions of the tick before the base, metres
     */
    void shift(double[] base, double[] before) {
        for (int axis = 0; axis < base.length; axis++) {
            baseShift[axis] = (int) Math.rint(clamped(base[axis] * unitsPerMetre)); // 0 for NaN
            beforeShift[axis] = (int) Math.rint(clamped(before[axis] * unitsPerMetre));
        }
    }

    /**
     * Predicts a pose.
     *
     * @param base   the poses of an earlier tick
     * @param before the poses of a tick before the base, or {@code base} again, which predicts rest
     */
    void predict(int[] base, int[] before, int at) {
        int px = base[at] + baseShift[0];
        int py = base[at + 1] + baseShift[1];
        int pz = base[at + 2] + baseShift[2];
        int x = step(px, before[at] + beforeShift[0]);
        int y = step(py, before[at + 1] + beforeShift[1]);
        int z = step(pz, before[at + 2] + beforeShift[2]);
        position[0] = px + x;
        position[1] = py + y;
        position[2] = pz + z;
        motion = bits(Math.abs(x) | Math.abs(y) | Math.abs(z));
        // Extrapolates from the earlier rotation through the base, along the circle through both, as a weighted sum of
        // the two. Multiplies by ahead not the angle between them, but half its sine, which is nearly the tangent of
        // half the angle. The product, t, is the tangent of half the new angle, so the new sine and cosine need no
        // tables: 2 t / (1 + t^2) and (1 - t^2) / (1 + t^2).
        long dot = (long) base[at + 3] * before[at + 3]
                + (long) base[at + 4] * before[at + 4]
                + (long) base[at + 5] * before[at + 5]
                + (long) base[at + 6] * before[at + 6];
        double cosine = (double) dot * perSquare;
        double sineSquared = Math.max(0, 1 - cosine * cosine);
        double square = halfAheadSquared * sineSquared; // t^2
        double norm = 1 / (1 + square);
        double part = ahead * norm;
        long ofBase = factor((1 - square) * norm + Math.abs(cosine) * part);
        long ofBefore = factor(dot < 0 ? part : -part);
        rotation[0] = (int) ((base[at + 3] * ofBase + before[at + 3] * ofBefore) >> FACTOR_BITS);
        rotation[1] = (int) ((base[at + 4] * ofBase + before[at + 4] * ofBefore) >> FACTOR_BITS);
        rotation[2] = (int) ((base[at + 5] * ofBase + before[at + 5] * ofBefore) >> FACTOR_BITS);
        rotation[3] = (int) ((base[at + 6] * ofBase + before[at + 6] * ofBefore) >> FACTOR_BITS);
        double turned = codesPerUnit * part;
        spin = (bits((int) (turned * turned * sineSquared)) + 1) / 2;
        speed = Math.min(MAX_SPEED, Math.max(motion, spin));
    }

    private int step(int base, int before) {
        return (int) (((base - before) * aheadFactor + HALF_FACTOR) >> FACTOR_BITS);
    }

    /** Predicts the pose of a new body, near the pose that was coded last. */
    void predictNew() {
        System.arraycopy(last, 0, position, 0, 3);
        Arrays.fill(rotation, 0);
        rotation[3] = (int) length;
        motion = MAX_BITS;
        spin = MAX_BITS;
    }

    /** Codes the difference of a pose from its prediction. Uses {@link #CONTEXTS} contexts. */
    void codeRest(BitCoder coder, int first, int[] poses, int at) {
        int escapes = first + LARGEST_CONTEXTS;
        int numbers = escapes + BitCoder.CONTEXTS_PER_NUMBER;
        int[] rest = rests;
        rest[0] = poses[at] - position[0];
        rest[1] = poses[at + 1] - position[1];
        rest[2] = poses[at + 2] - position[2];
        coder.rests(numbers + (MAX_MISSED + 1) * Math.min(MAX_BITS, motion) + missed, escapes, rest);
        last[0] = position[0] + rest[0];
        last[1] = position[1] + rest[1];
        last[2] = position[2] + rest[2];
        missed = Math.min(MAX_MISSED, bits(Math.abs(rest[0]) | Math.abs(rest[1]) | Math.abs(rest[2])));
        int largest = codeLargest(coder, first, poses[at + LARGEST]);
        int a = at + 3 + (largest == 0 ? 1 : 0);
        int b = at + 3 + (largest <= 1 ? 2 : 1);
        int c = at + 3 + (largest <= 2 ? 3 : 2);
        int sign = rotation[largest] >> (Integer.SIZE - 1);
        int wantedA = wanted(rotation[a - at - 3], sign);
        int wantedB = wanted(rotation[b - at - 3], sign);
        int wantedC = wanted(rotation[c - at - 3], sign);
        rest[0] = (poses[a] >> fineBits) - wantedA;
        rest[1] = (poses[b] >> fineBits) - wantedB;
        rest[2] = (poses[c] >> fineBits) - wantedC;
        numbers += (MAX_MISSED + 1) * (MAX_BITS + 1);
        coder.rests(numbers + (MAX_MISSED + 1) * Math.min(MAX_BITS, spin) + missed, escapes, rest);
        if (coder.reads) {
            int codeA = limited(wantedA + rest[0]);
            int codeB = limited(wantedB + rest[1]);
            int codeC = limited(wantedC + rest[2]);
            poses[at] = last[0];
            poses[at + 1] = last[1];
            poses[at + 2] = last[2];
            poses[a] = codeA << fineBits;
            poses[b] = codeB << fineBits;
            poses[c] = codeC << fineBits;
            poses[at + 3 + largest] = largest((long) codeA * codeA + (long) codeB * codeB + (long) codeC * codeC);
            poses[at + LARGEST] = largest;
        }
    }

    /** Returns the predicted code of a component, negated if the predicted largest component is negative. */
    private int wanted(int component, int sign) {
        return limited(((component ^ sign) - sign + halfStep) >> fineBits);
    }

    /** Codes the index of the largest component: mostly the predicted one, or the next one if that is nearly as large. */
    private int codeLargest(BitCoder coder, int first, int largest) {
        int a = Math.abs(rotation[0]) & SIZE;
        int b = (Math.abs(rotation[1]) & SIZE) | 1;
        int c = (Math.abs(rotation[2]) & SIZE) | 2;
        int d = (Math.abs(rotation[3]) & SIZE) | 3;
        int ab = Math.max(a, b);
        int cd = Math.max(c, d);
        int top = Math.max(ab, cd);
        int next = Math.max(Math.min(ab, cd), Math.max(Math.min(a, b), Math.min(c, d)));
        int gap = (int) (((top - next) * gapScale) >>> Integer.SIZE);
        int context = first + 3 * Math.min(GAPS - 1, gap);
        int likely = top & INDEX;
        int second = next & INDEX;
        if (coder.bit(context, largest == likely ? 0 : 1) == 0) {
            return likely;
        }
        if (coder.bit(context + 1, largest == second ? 0 : 1) == 0) {
            return second;
        }
        int third = 0;
        while (third == likely || third == second) {
            third++;
        }
        int fourth = 6 - likely - second - third;
        return coder.bit(context + 2, largest == third ? 0 : 1) == 0 ? third : fourth;
    }

    private static int bits(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(number));
    }
}
