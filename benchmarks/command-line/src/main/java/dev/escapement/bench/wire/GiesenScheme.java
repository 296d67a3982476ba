package dev.escapement.bench.wire;

import static dev.escapement.bench.wire.Trace.LARGEST;
import static dev.escapement.bench.wire.Trace.POSITION;
import static dev.escapement.bench.wire.Trace.ROTATION;

import java.util.Arrays;

/**
 * Counts the bits of Fabian Giesen's scheme: an arithmetic coder with adaptive binary models, as they were at the base line, in contexts
 * of what the base line did. A decision costs the logarithm of its probability.
 *
 * @see <a href="https://github.com/rygorous/gaffer_net">gaffer_net</a>
 */
final class GiesenScheme {

    // Places of the models: each is two counters.
    private static final int TURNED = 0;
    private static final int FLIPPED = TURNED + 4;
    private static final int MOVED = FLIPPED + 2;
    private static final int MARKED = MOVED + 8;
    private static final int AXIS = MARKED + 4;
    private static final int TURN = AXIS + 16 * 4;
    private static final int NUMBER_MODELS = 32 + 8 + 2;
    private static final int CHANGED_AXIS = 10;
    private static final int MOVE = TURN + (CHANGED_AXIS + 1) * NUMBER_MODELS;
    private static final int MODELS = MOVE + CHANGED_AXIS * NUMBER_MODELS;

    private static final int HALF = 1 << 14;
    private static final int FAST = 3;
    private static final int SLOW = 7;
    private static final int NEAR = 2048;
    private static final int MIDDLE = 256;
    private static final int NEARLY_LARGEST = 128;
    private static final int LARGEST_NUMBER = 450;

    private final Trace trace;
    private final int[] bases;
    private final int[][] modelsOf;
    private int[] models = {};
    private double bits;

    /** Counts what a trace takes, where each tick has its base line; negative for none. */
    GiesenScheme(Trace trace, int[] bases) {
        this.trace = trace;
        this.bases = bases;
        modelsOf = new int[trace.ticks.size()][];
    }

    /** What a tick with a base line takes, in whole bytes; all before it must have been counted. */
    int bits(int tick) {
        int base = bases[tick];
        models = modelsOf[base] == null ? fresh() : modelsOf[base].clone();
        modelsOf[tick] = models;
        bits = 0;
        for (int body = 0; body < trace.bodies; body++) {
            body(tick, base, body);
        }
        return (int) Math.ceil(bits / 8) * 8;
    }

    private static int[] fresh() {
        int[] fresh = new int[2 * MODELS];
        Arrays.fill(fresh, HALF / 2);
        return fresh;
    }

    private void body(int tick, int base, int body) {
        int before = bases[base];
        boolean near = true;
        boolean turned = trace.change(tick, base, body, LARGEST) != 0;
        boolean moved = false;
        for (int i = 0; i < 3; i++) {
            near &= Math.abs(trace.at(base, body, POSITION + i) - trace.at(base, 0, POSITION + i)) < NEAR;
            turned |= trace.change(tick, base, body, ROTATION + i) != 0;
            moved |= trace.change(tick, base, body, POSITION + i) != 0;
        }
        int context = (before >= 0 && trace.hasMoved(base, before, body) ? 1 : 0) + (near ? 2 : 0);
        decide(TURNED + context, turned);
        if (turned) {
            turn(tick, base, body);
        }
        decide(MOVED + 2 * context + (turned ? 1 : 0), moved);
        for (int i = 0; moved && i < 3; i++) {
            int velocity = velocity(base, body, POSITION + i);
            int off = trace.change(tick, base, body, POSITION + i) - velocity;
            number(MOVE, magnitude(velocity), off, velocity < 0);
        }
        decide(
                MARKED + trace.at(base, body, Trace.MARK) + (turned || moved ? 2 : 0),
                trace.at(tick, body, Trace.MARK) != 0);
    }

    /** What the base line did since its own. */
    private int velocity(int base, int body, int number) {
        return trace.change(base, bases[base], body, number);
    }

    private void turn(int tick, int base, int body) {
        int old = trace.at(base, body, LARGEST);
        int axis = trace.at(tick, body, LARGEST);
        tree(AXIS + 4 * axisContext(base, body), 2, axis);
        int[] expected = new int[4];
        int[] velocity = new int[4];
        expected[old] = LARGEST_NUMBER;
        for (int i = 0; i < 3; i++) {
            int of = Trace.axis(i, old);
            expected[of] = trace.at(base, body, ROTATION + i);
            velocity[of] = velocity(base, body, ROTATION + i);
        }
        boolean flipped = axis != old && trace.at(tick, body, ROTATION + (old < axis ? old : old - 1)) < MIDDLE;
        if (axis != old) {
            decide(FLIPPED + (expected[axis] < MIDDLE ? 1 : 0), flipped);
        }
        for (int i = 0; i < 3; i++) {
            int of = Trace.axis(i, axis);
            int from = flipped ? 2 * MIDDLE - expected[of] : expected[of];
            int context = of == old ? CHANGED_AXIS : magnitude(velocity[of]);
            number(TURN, context, trace.at(tick, body, ROTATION + i) - from, (velocity[of] < 0) != flipped);
        }
    }

    /** The largest component, and which of the others comes close to it. */
    private int axisContext(int base, int body) {
        int second = 0;
        int most = -1;
        for (int i = 0; i < 3; i++) {
            int size = Math.abs(trace.at(base, body, ROTATION + i) - MIDDLE);
            second = size > most ? i : second;
            most = Math.max(most, size);
        }
        return trace.at(base, body, LARGEST) + (most >= NEARLY_LARGEST ? 4 * (second + 1) : 0);
    }

    private static int magnitude(int value) {
        int size = Math.max(1, Math.abs(value));
        return Math.min(CHANGED_AXIS - 1, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size));
    }

    /** A number by its magnitude, the bit below its highest, the rest plainly, and its sign. */
    private void number(int kind, int context, int value, boolean expectedNegative) {
        int model = kind + context * NUMBER_MODELS;
        int size = Math.abs(value) + 1;
        int magnitude = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size);
        tree(model, 5, magnitude);
        if (magnitude > 0) {
            decide(model + 32 + Math.min(magnitude, 7), ((size >> (magnitude - 1)) & 1) != 0);
            bits += magnitude - 1;
            decide(model + 32 + 8 + (expectedNegative ? 1 : 0), value < 0);
        }
    }

    private void tree(int model, int levels, int value) {
        int node = 1;
        for (int level = levels - 1; level >= 0; level--) {
            int bit = (value >> level) & 1;
            decide(model + node, bit != 0);
            node = 2 * node + bit;
        }
    }

    /** Two counters learn at two rates; their sum is the probability of a one. */
    private void decide(int model, boolean one) {
        int fast = models[2 * model];
        int slow = models[2 * model + 1];
        double probability = (fast + slow) / (2.0 * HALF);
        bits -= Math.log(one ? probability : 1 - probability) / Math.log(2);
        models[2 * model] = one ? fast + ((HALF - fast) >> FAST) : fast - (fast >> FAST);
        models[2 * model + 1] = one ? slow + ((HALF - slow) >> SLOW) : slow - (slow >> SLOW);
    }
}
