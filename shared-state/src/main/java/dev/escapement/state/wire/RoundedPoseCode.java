package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/** Poses that are rounded. */
final class RoundedPoseCode extends PoseCode {

    /** Differences of positions fit an int. */
    private static final int MOST_UNITS = 1 << 29;

    /** Classes of motion, by how many bits it has; new bodies are in the last one. */
    private static final int MOST_BITS = 9;

    private static final int FAR = 1 << MOST_BITS;

    /** Classes of how much larger the largest component is than the next one, a 20th of a unit each. */
    private static final int GAPS = 8;

    private static final int GAP_SCALE = 20;
    private static final double LARGEST_SMALLER = Math.sqrt(0.5);

    /** The angle that one component may be off, for an error of 1 in each of three. */
    private static final double ANGLE_PER_STEP = 2 * Math.sqrt(3);

    private static final int CONTEXTS_OF_RESTS = 110;

    /** How many bodies another one may follow, and how much the two may differ: in units, in codes, and in units per unit of codes. */
    private static final int LEADERS = 8;

    /** After so many bodies that followed none, only one of so many is asked. */
    private static final int PATIENCE = 64;

    private static final double MOST_APART = 6;
    private static final double NEAR_TURN = 6;
    private static final double NEAR = 8;
    private static final double[] NO_TURN = {0, 0, 0, 1};
    private static final int INDEX = 3;
    private static final double ROUNDING = 0x1.8p52;

    /** The components besides the largest one, by which that is. */
    private static final int[][] OTHERS = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

    private final float metresPerUnit;
    private final double unitsPerMetre;
    private final int most;
    private final float codesPerUnit;
    private final double unitsPerCode;

    /** By how much each coordinate of the last prediction moved from the base, and how far it turned, in the units of the codes. */
    private final int[] step = new int[3];

    private int spin;

    /** The position and the rotation that are predicted. */
    private final int[] position = new int[3];

    private final double[] rotation = new double[4];

    /** The position that was coded last. */
    private final int[] last = new int[3];

    private final float[] components = new float[4];
    private final double[] from = new double[4];
    private final double[] earlier = new double[4];

    /** How the body turned to the base. */
    private double[] turn = new double[4];

    private final double[] turnOfLeader = new double[4];
    private final double[] own = new double[4];
    private final double[] rotated = new double[3];

    /** The places of the bodies that were coded last and had moved to the base, and how they turned. */
    private final int[] leaders = new int[LEADERS];

    private final double[][] turns = new double[LEADERS][4];
    private int leaderCount;
    private int misses;
    private boolean mayLead;
    private boolean isLed;

    /** Bodies farther from each other than this are not asked: rotations are not exact enough. */
    private final int near;

    RoundedPoseCode(WireFormat format) {
        metresPerUnit = 2 * format.maxPositionErrorMetres();
        unitsPerMetre = 1.0 / metresPerUnit;
        // Half a step off in each of three components, and what that makes of the largest one: at most twice as long.
        double widest = format.maxRotationErrorRadians() / ANGLE_PER_STEP;
        most = (int) Math.ceil(LARGEST_SMALLER / widest);
        codesPerUnit = (float) (most / LARGEST_SMALLER);
        unitsPerCode = LARGEST_SMALLER / most;
        near = (int) (NEAR * codesPerUnit);
    }

    @Override
    boolean code(PoseBlock poses, int index, int[] to, int at) {
        double x = poses.px[index] * unitsPerMetre;
        double y = poses.py[index] * unitsPerMetre;
        double z = poses.pz[index] * unitsPerMetre;
        to[at] = rounded(x);
        to[at + 1] = rounded(y);
        to[at + 2] = rounded(z);
        components[0] = poses.qx[index];
        components[1] = poses.qy[index];
        components[2] = poses.qz[index];
        components[3] = poses.qw[index];
        int ab = Math.max(ranked(components[0], 0), ranked(components[1], 1));
        int cd = Math.max(ranked(components[2], 2), ranked(components[3], 3));
        int largest = Math.max(ab, cd) & INDEX;
        int[] others = OTHERS[largest];
        float scale = Math.copySign(codesPerUnit, components[largest]);
        to[at + 3] = component(components[others[0]] * scale);
        to[at + 4] = component(components[others[1]] * scale);
        to[at + 5] = component(components[others[2]] * scale);
        to[at + LARGEST] = largest;
        return Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z))) < MOST_UNITS;
    }

    /** Rounded to a whole number, if that is below 2^31: added to so large a number, nothing below 1 has a place. */
    private static int rounded(double value) {
        return (int) Double.doubleToRawLongBits(value + ROUNDING);
    }

    /** The size of a component, with its index in the lowest bits: floats without their sign are in the order of their bits. */
    private static int ranked(float component, int index) {
        return (Float.floatToRawIntBits(component) & (Integer.MAX_VALUE - INDEX)) | index;
    }

    private int component(double scaled) {
        return limited(rounded(scaled));
    }

    private int limited(int code) {
        return Math.max(-most, Math.min(most, code));
    }

    @Override
    void decode(int[] codes, int at, PoseBlock to, int index) {
        float a = codes[at + 3] / codesPerUnit;
        float b = codes[at + 4] / codesPerUnit;
        float c = codes[at + 5] / codesPerUnit;
        float rest = (float) Math.sqrt(Math.max(0, 1 - (a * a + b * b + c * c)));
        to.px[index] = codes[at] * metresPerUnit;
        to.py[index] = codes[at + 1] * metresPerUnit;
        to.pz[index] = codes[at + 2] * metresPerUnit;
        int largest = codes[at + LARGEST];
        to.qx[index] = largest == 0 ? rest : a;
        to.qy[index] = largest == 1 ? rest : largest == 0 ? a : b;
        to.qz[index] = largest == 2 ? rest : largest == 3 ? c : b;
        to.qw[index] = largest == 3 ? rest : c;
    }

    @Override
    void predict(int[] now, int[] base, int[] before, int at, double ahead) {
        int moved = 0;
        for (int k = 0; k < 3; k++) {
            step[k] = rounded((base[at + k] - before[at + k]) * ahead);
            position[k] = base[at + k] + step[k];
            moved |= Math.abs(step[k]);
        }
        components(base, at, from);
        int turned = (base[at + 3] ^ before[at + 3])
                | (base[at + 4] ^ before[at + 4])
                | (base[at + 5] ^ before[at + 5])
                | (base[at + LARGEST] ^ before[at + LARGEST]);
        spin = 0;
        if (turned == 0) {
            System.arraycopy(from, 0, rotation, 0, 4);
            System.arraycopy(NO_TURN, 0, turn, 0, 4);
        } else {
            components(before, at, earlier);
            quotient(turn);
            turn(ahead);
        }
        speed = Math.min(MOST_SPEED, bits(moved + spin));
        mayLead = (moved | turned) != 0;
        boolean mayFollow = mayLead && (misses < PATIENCE || leaderCount % PATIENCE == 0);
        isLed = mayFollow && follow(now, base, before, at);
        misses = isLed ? 0 : misses + 1;
    }

    @Override
    void forget() {
        Arrays.fill(last, 0);
        leaderCount = 0;
        misses = 0;
    }

    @Override
    void predictNew() {
        System.arraycopy(last, 0, position, 0, 3);
        System.arraycopy(NO_TURN, 0, rotation, 0, 4);
        Arrays.fill(step, FAR);
        spin = FAR;
        mayLead = false;
        isLed = false;
    }

    /** Goes on with the turn from the earlier tick to the base. */
    private void turn(double ahead) {
        // The vector is the axis times the sine of half the angle. The tangent of a quarter of the angle is nearly half
        // of it. That is scaled instead of the angle, and gives a rotation without sines: ((1 - t^2), 2 t) / (1 + t^2).
        double half = ahead / 2;
        double x = half * turn[0];
        double y = half * turn[1];
        double z = half * turn[2];
        double square = x * x + y * y + z * z;
        double norm = 1 / (1 + square);
        double sine = 2 * norm;
        turnBase(sine * x, sine * y, sine * z, (1 - square) * norm);
        spin = rounded(codesPerUnit * sine * (Math.abs(x) + Math.abs(y) + Math.abs(z)));
    }

    private void turnBase(double x, double y, double z, double w) {
        double[] q = from;
        rotation[0] = x * q[3] + w * q[0] + y * q[2] - z * q[1];
        rotation[1] = y * q[3] + w * q[1] + z * q[0] - x * q[2];
        rotation[2] = z * q[3] + w * q[2] + x * q[1] - y * q[0];
        rotation[3] = w * q[3] - x * q[0] - y * q[1] - z * q[2];
    }

    /** The turn from the earlier rotation to the one to start from, at most half a turn. */
    private void quotient(double[] to) {
        double[] q = from;
        double[] e = earlier;
        double w = q[3] * e[3] + q[0] * e[0] + q[1] * e[1] + q[2] * e[2];
        double sign = Math.copySign(1, w);
        to[0] = sign * (-q[3] * e[0] + q[0] * e[3] - q[1] * e[2] + q[2] * e[1]);
        to[1] = sign * (-q[3] * e[1] + q[0] * e[2] + q[1] * e[3] - q[2] * e[0]);
        to[2] = sign * (-q[3] * e[2] - q[0] * e[1] + q[1] * e[0] + q[2] * e[3]);
        to[3] = sign * w;
    }

    /**
     * Predicts a body from one that was coded before it, if both moved to the base like parts of one rigid body: then they mostly still do.
     */
    private boolean follow(int[] now, int[] base, int[] before, int at) {
        int leader = -1;
        double least = MOST_APART;
        for (int n = 0; n < Math.min(leaderCount, LEADERS); n++) {
            int other = leaders[n];
            int x = base[at] - base[other];
            int y = base[at + 1] - base[other + 1];
            int z = base[at + 2] - base[other + 2];
            if (Math.abs(x) + Math.abs(y) + Math.abs(z) < near && isNearTurn(turns[n])) {
                rotate(
                        turns[n],
                        before[at] - before[other],
                        before[at + 1] - before[other + 1],
                        before[at + 2] - before[other + 2]);
                double apart = Math.abs(rotated[0] - x) + Math.abs(rotated[1] - y) + Math.abs(rotated[2] - z);
                leader = apart < least ? other : leader;
                least = Math.min(least, apart);
            }
        }
        if (leader >= 0) {
            System.arraycopy(from, 0, own, 0, 4);
            components(base, leader, earlier);
            components(now, leader, from);
            quotient(turnOfLeader);
            System.arraycopy(own, 0, from, 0, 4);
            rotate(
                    turnOfLeader,
                    base[at] - base[leader],
                    base[at + 1] - base[leader + 1],
                    base[at + 2] - base[leader + 2]);
            for (int k = 0; k < 3; k++) {
                position[k] = now[leader + k] + rounded(rotated[k]);
            }
            turnBase(turnOfLeader[0], turnOfLeader[1], turnOfLeader[2], turnOfLeader[3]);
        }
        return leader >= 0;
    }

    private boolean isNearTurn(double[] other) {
        double x = Math.abs(other[0] - turn[0]);
        return x + Math.abs(other[1] - turn[1]) + Math.abs(other[2] - turn[2]) < NEAR_TURN * unitsPerCode;
    }

    /** Turns a vector. */
    private void rotate(double[] q, double x, double y, double z) {
        double a = q[1] * z - q[2] * y;
        double b = q[2] * x - q[0] * z;
        double c = q[0] * y - q[1] * x;
        rotated[0] = x + 2 * (q[3] * a + q[1] * c - q[2] * b);
        rotated[1] = y + 2 * (q[3] * b + q[2] * a - q[0] * c);
        rotated[2] = z + 2 * (q[3] * c + q[0] * b - q[1] * a);
    }

    @Override
    void codeRest(BitCoder coder, int first, int[] poses, int at) {
        int escapes = first + 3 * GAPS;
        int numbers = escapes + BitCoder.CONTEXTS_PER_NUMBER + (isLed ? CONTEXTS_OF_RESTS : 0);
        int largestRest = 0;
        for (int k = 0; k < 3; k++) {
            int context = 4 * Math.min(MOST_BITS, bits(step[k])) + Math.min(3, bits(largestRest) / 2);
            int rest = coder.rest(numbers + context, escapes, poses[at + k] - position[k]);
            last[k] = position[k] + rest;
            poses[at + k] = last[k];
            largestRest = Math.max(largestRest, Math.abs(rest));
        }
        int largest = codeLargest(coder, first, poses[at + LARGEST]);
        poses[at + LARGEST] = largest;
        double scale = Math.copySign(codesPerUnit, rotation[largest]);
        numbers += 4 * (MOST_BITS + 1) + 7 * Math.min(MOST_BITS, bits(spin));
        int[] others = OTHERS[largest];
        largestRest = 0;
        for (int k = 0; k < 3; k++) {
            int wanted = component(rotation[others[k]] * scale);
            int context = k == 0 ? 0 : 1 + Math.min(5, bits(largestRest));
            int rest = coder.rest(numbers + context, escapes, poses[at + 3 + k] - wanted);
            poses[at + 3 + k] = limited(wanted + rest);
            largestRest = Math.max(largestRest, Math.abs(rest));
        }
        if (mayLead) {
            int n = leaderCount++ & (LEADERS - 1);
            leaders[n] = at;
            double[] free = turns[n];
            turns[n] = turn;
            turn = free;
        }
    }

    /** Codes which component is the largest: mostly the one predicted, or the next one if that is nearly as large. */
    private int codeLargest(BitCoder coder, int first, int largest) {
        int a = ranked((float) rotation[0], 0);
        int b = ranked((float) rotation[1], 1);
        int c = ranked((float) rotation[2], 2);
        int d = ranked((float) rotation[3], 3);
        int ab = Math.max(a, b);
        int cd = Math.max(c, d);
        int top = Math.max(ab, cd);
        int next = Math.max(Math.min(ab, cd), Math.max(Math.min(a, b), Math.min(c, d)));
        float gap = GAP_SCALE * (Float.intBitsToFloat(top) - Float.intBitsToFloat(next));
        int context = first + 3 * Math.min(GAPS - 1, (int) gap);
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

    /** How many bits a number has. */
    private static int bits(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(number));
    }

    /** The four components of a rotation. */
    private void components(int[] codes, int at, double[] to) {
        int largest = codes[at + LARGEST];
        int[] others = OTHERS[largest];
        double a = codes[at + 3] * unitsPerCode;
        double b = codes[at + 4] * unitsPerCode;
        double c = codes[at + 5] * unitsPerCode;
        to[others[0]] = a;
        to[others[1]] = b;
        to[others[2]] = c;
        to[largest] = Math.sqrt(Math.max(0, 1 - (a * a + b * b + c * c)));
    }
}
