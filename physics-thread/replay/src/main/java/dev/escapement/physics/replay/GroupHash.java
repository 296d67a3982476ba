package dev.escapement.physics.replay;

import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.StateHash;
import java.util.Arrays;

/**
 * Hashes the states of groups of {@value #GROUP_BODIES} bodies, to 32 bits: logs and clusters find the group that differs.
 *
 * <pre>{@code
 * GroupHash hash = new GroupHash(bodies.stateComponents().size());
 * int hashOfGroup = hash.of(bodies, group, bodies.bodyCount());
 * }</pre>
 *
 * <p>One thread at a time. Allocates once.
 */
public final class GroupHash {

    /** How many bodies a group has; the last one may have fewer. */
    public static final int GROUP_BODIES = 64;

    /** This many bodies are read at once, so that their states stay in the first-level cache until they are hashed. */
    public static final int READ_AT_ONCE = 16;

    private final int components;
    private long[] bits = {};

    /** The group that is hashed, folded to the size of what is read at once. */
    private long[] folded = {};

    /**
     * Creates a hash.
     *
     * @param components how many components the state of a body has
     */
    public GroupHash(int components) {
        this.components = components;
    }

    /**
     * {@return how many groups these bodies have; the last one may have fewer of them}
     *
     * @param bodies a number of bodies
     */
    public static int groups(int bodies) {
        return (bodies + GROUP_BODIES - 1) / GROUP_BODIES;
    }

    /**
     * Hashes a group as it is now.
     *
     * @param states the bodies
     * @param group  the number of the group
     * @param count  how many bodies there are
     * @return the hash of the bodies in the group
     */
    public int of(BodyStates states, int group, int count) {
        if (bits.length == 0) {
            bits = new long[READ_AT_ONCE * components];
            folded = new long[bits.length];
        }
        int first = group * GROUP_BODIES;
        int end = Math.min(count, first + GROUP_BODIES);
        for (int from = first; from < end; from += READ_AT_ONCE) {
            int to = Math.min(end, from + READ_AT_ONCE);
            int words = (to - from) * components;
            if (from == first) {
                states.readStates(from, to, folded);
                Arrays.fill(folded, words, folded.length, 0);
            } else {
                states.readStates(from, to, bits);
                fold(words);
            }
        }
        return (int) StateHash.finish(StateHash.addAll(StateHash.start(), folded));
    }

    /**
     * Mixes the words that were read into the folded ones. A change of one word always changes the result. Without long multiplications,
     * for which many processors have no vector instruction.
     */
    private void fold(int count) {
        for (int i = 0; i < count; i++) {
            long mixed = 31 * folded[i] + bits[i];
            folded[i] = mixed ^ (mixed >>> 29);
        }
    }
}
