package dev.escapement.bench.wire;

import static dev.escapement.bench.wire.Trace.LARGEST;
import static dev.escapement.bench.wire.Trace.POSITION;
import static dev.escapement.bench.wire.Trace.ROTATION;

/**
 * Counts the bits of Glenn Fiedler's scheme in its last version: each cube that differs from the base line, by fixed codes for small
 * differences, positions from where a cube would be at the velocity of the base line.
 *
 * @see <a href="https://gafferongames.com/post/snapshot_compression/">Snapshot Compression</a>
 * @see <a href="http://gafferongames.com/2015/03/14/the-networked-physics-data-compression-challenge/">The source, in the public domain</a>
 */
final class FiedlerScheme {

    private static final int[] POSITION_BITS = {5, 6, 7};
    private static final int[] ROTATION_BITS = {4, 5, 7};
    private static final int SMALL_POSITION = 15;
    private static final int SMALL_ROTATION = 3;
    private static final int WHOLE_POSITION_BITS = 33;
    private static final int WHOLE_ROTATION_BITS = 29;
    private static final int MOST_INDEXED = 256;
    private static final int COUNT_BITS = 8;
    private static final int INDEX_BITS = 10;
    private static final int FARTHEST_INDEX = 126;
    private static final int FAR_INDEX_BITS = 17;
    private static final float DRAG = 0.062f;
    private static final int GRAVITY = 3;
    private static final int GROUND = 105;

    private final Trace trace;
    private final int bodies;
    private final int[] bases;

    /** Counts what a trace takes, where each tick has its base line; negative for none. */
    FiedlerScheme(Trace trace, int[] bases) {
        this.trace = trace;
        bodies = trace.bodies;
        this.bases = bases;
    }

    /** What a tick with a base line takes, in whole bytes. */
    int bits(int tick) {
        int base = bases[tick];
        int changed = 0;
        int indexBits = COUNT_BITS + INDEX_BITS;
        int previous = -1;
        int bits = 1;
        for (int body = 0; body < bodies; body++) {
            if (trace.hasMoved(tick, base, body) || trace.change(tick, base, body, Trace.MARK) != 0) {
                changed++;
                indexBits += previous < 0 ? 0 : indexBits(body - previous);
                previous = body;
                bits += 1 + positionBits(tick, base, body) + rotationBits(tick, base, body);
            }
        }
        boolean indexed = changed > 0 && changed <= MOST_INDEXED && indexBits <= bodies;
        return (bits + (indexed ? indexBits : bodies) + 7) / 8 * 8;
    }

    /** The distance to the body sent before: 1 takes a bit, up to 6 four, up to 14 six, and so on. */
    private static int indexBits(int distance) {
        if (distance == 1) {
            return 1;
        }
        return distance > FARTHEST_INDEX
                ? FAR_INDEX_BITS
                : 2 * Math.max(2, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(distance + 1));
    }

    private int positionBits(int tick, int base, int body) {
        int[] off = new int[3];
        boolean changed = false;
        for (int i = 0; i < 3; i++) {
            int velocity = trace.change(base, bases[base], body, POSITION + i);
            int move = velocity - (int) Math.ceil(velocity * DRAG);
            int from = trace.at(base, body, POSITION + i);
            int expected = i < 2 ? from + move : Math.max(from + move - GRAVITY, GROUND);
            off[i] = zigzag(trace.at(tick, body, POSITION + i) - expected);
            changed |= trace.change(tick, base, body, POSITION + i) != 0;
        }
        if (!changed) {
            return 1;
        }
        if (areAtMost(off, SMALL_POSITION)) {
            return 2 + 12;
        }
        return 3 + rangeBits(off, POSITION_BITS, WHOLE_POSITION_BITS);
    }

    private int rotationBits(int tick, int base, int body) {
        if (trace.change(tick, base, body, LARGEST) != 0) {
            return 1 + WHOLE_ROTATION_BITS;
        }
        int[] off = new int[3];
        for (int i = 0; i < 3; i++) {
            off[i] = zigzag(trace.change(tick, base, body, ROTATION + i));
        }
        if (areAtMost(off, SMALL_ROTATION)) {
            return 2 + 6;
        }
        int relative = rangeBits(off, ROTATION_BITS, -1);
        return relative < 0 ? 1 + WHOLE_ROTATION_BITS : 2 + relative;
    }

    private static boolean areAtMost(int[] values, int most) {
        return values[0] <= most && values[1] <= most && values[2] <= most;
    }

    /** Each value in the first of the ranges that it fits in, or else all of them in so many bits. */
    private static int rangeBits(int[] values, int[] ranges, int otherwise) {
        int bits = 0;
        for (int value : values) {
            int range = 0;
            int end = 1 << ranges[0];
            while (value >= end && ++range < ranges.length) {
                end += 1 << ranges[range];
            }
            if (range == ranges.length) {
                return otherwise;
            }
            bits += Math.min(range + 1, ranges.length - 1) + ranges[range];
        }
        return bits;
    }

    private static int zigzag(int value) {
        return (value << 1) ^ (value >> (Integer.SIZE - 1));
    }
}
