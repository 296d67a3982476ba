package dev.escapement.physics.replay;

import java.util.Arrays;

/**
 * 16-bit digests of each component of each body. They miss one of 65,536 changes.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
final class BodyDigests {

    /** How many bodies are read before their digests are computed in one loop, so that their states stay in the first-level cache. */
    private static final int READ_AT_ONCE = 64;

    final int components;
    private long[] bits = {};
    private short[] digests = {};
    private int bodies;

    BodyDigests(int components) {
        this.components = components;
    }

    int bodies() {
        return bodies;
    }

    short get(int body, int component) {
        return digests[body * components + component];
    }

    void set(int body, int component, short digest) {
        digests[body * components + component] = digest;
    }

    void resize(int newBodies) {
        int needed = Math.multiplyExact(newBodies, components);
        if (needed > digests.length) {
            digests = Arrays.copyOf(digests, Math.max(needed, (int)
                    Math.min(Integer.MAX_VALUE / 2, 2L * digests.length)));
        }
        bodies = newBodies;
    }

    /** Digests the state of every body. */
    void read(BodyStates states) {
        resize(states.bodyCount());
        if (bits.length == 0) {
            bits = new long[READ_AT_ONCE * components]; // not needed to read a log
        }
        for (int body = 0; body < bodies; body += READ_AT_ONCE) {
            int end = Math.min(bodies, body + READ_AT_ONCE);
            for (int read = body; read < end; read++) {
                states.readState(read, bits, (read - body) * components);
            }
            digest(body * components, (end - body) * components);
        }
    }

    private void digest(int from, int count) {
        for (int i = 0; i < count; i++) {
            digests[from + i] = digest(bits[i]);
        }
    }

    void copyFrom(BodyDigests other) {
        resize(other.bodies);
        System.arraycopy(other.digests, 0, digests, 0, bodies * components);
    }

    /** The first component of a body that differs, -1 if none does. Both must have the body. */
    int firstDifference(int body, BodyDigests other) {
        int from = body * components;
        return Arrays.mismatch(digests, from, from + components, other.digests, from, from + components);
    }

    /** The digest of a component. A change of any single bit changes it. */
    static short digest(long bits) {
        return (short) ((bits * 0x9E3779B97F4A7C15L) >>> 48);
    }
}
