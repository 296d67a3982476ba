package dev.escapement.physics.replay.format;

import dev.escapement.physics.replay.GroupHash;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.spi.Divergence;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a log has of the states of bodies: an entry for each group of {@value Divergence#GROUP_BODIES}, a hash of 32 bits; or an entry for
 * each body, with a digest of 16 bits for each component. One of 4,294,967,296 or 65,536 changes is missed.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
public final class BodyDigests {

    private static final int HASH_SHORTS = Integer.SIZE / Short.SIZE;

    /** How many shorts an entry has; 0 if bodies have no components. */
    public final int width;

    private final int components;
    private final boolean eachBody;
    private final GroupHash hash;
    private long[] bits = {};
    private short[] digests = {};
    private int bodies;

    public BodyDigests(int components, boolean eachBody) {
        this.components = components;
        this.eachBody = eachBody;
        hash = new GroupHash(components);
        width = components == 0 || eachBody ? components : HASH_SHORTS;
    }

    /** Creates empty ones of the same kind. */
    public BodyDigests another() {
        return new BodyDigests(components, eachBody);
    }

    public int bodies() {
        return bodies;
    }

    /** The number of entries of this many bodies. */
    int entriesOf(int ofBodies) {
        return eachBody ? ofBodies : GroupHash.groups(ofBodies);
    }

    public int entries() {
        return entriesOf(bodies);
    }

    /** Whether an entry is of one body, and not of a group. */
    public boolean isOfEachBody() {
        return eachBody;
    }

    public short get(int entry, int at) {
        return digests[entry * width + at];
    }

    public void set(int entry, int at, short digest) {
        digests[entry * width + at] = digest;
    }

    public void resize(int newBodies) {
        int needed = Math.multiplyExact(entriesOf(newBodies), width);
        if (needed > digests.length) {
            digests = Arrays.copyOf(digests, Math.max(needed, (int)
                    Math.min(Integer.MAX_VALUE / 2, 2L * digests.length)));
        }
        bodies = newBodies;
    }

    /** Digests the states of the first bodies. */
    public void read(BodyStates states, int count) {
        resize(count);
        if (!eachBody) {
            for (int group = 0; group < entries(); group++) {
                int hashed = hash.of(states, group, count);
                set(group, 0, (short) hashed);
                set(group, 1, (short) (hashed >>> Short.SIZE));
            }
            return;
        }
        if (bits.length == 0) {
            bits = new long[GroupHash.READ_AT_ONCE * components]; // not needed to read a log
        }
        for (int body = 0; body < bodies; body += GroupHash.READ_AT_ONCE) {
            int end = Math.min(bodies, body + GroupHash.READ_AT_ONCE);
            states.readStates(body, end, bits);
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
        System.arraycopy(other.digests, 0, digests, 0, entries() * width);
    }

    /** The first place of an entry that differs, -1 if none does. Both must have the entry. */
    int firstDifference(int entry, BodyDigests other) {
        int from = entry * width;
        return Arrays.mismatch(digests, from, from + width, other.digests, from, from + width);
    }

    /** The first entry that both have and that differs; -1 if none does. */
    int firstDifferentEntry(BodyDigests other) {
        int to = Math.min(entries(), other.entries()) * width;
        int at = Arrays.mismatch(digests, 0, to, other.digests, 0, to);
        return at < 0 ? -1 : at / width;
    }

    /** Describes a difference from the bodies now, with the first body that differs if they can be read. */
    public Divergence divergence(
            long tick, long thenHash, long nowHash, @Nullable BodyStates states, long commandTick) {
        int group = Divergence.UNKNOWN;
        int body = Divergence.UNKNOWN;
        String component = "";
        if (states != null) {
            BodyDigests now = another();
            int both = Math.min(states.bodyCount(), bodies());
            now.read(states, both);
            int entry = now.firstDifferentEntry(this);
            if (entry < 0) {
                body = states.bodyCount() == bodies() ? Divergence.UNKNOWN : both;
            } else if (isOfEachBody()) {
                body = entry;
                component = states.stateComponents().get(now.firstDifference(entry, this));
            } else {
                group = entry;
            }
        }
        return new Divergence(
                tick,
                thenHash,
                nowHash,
                body == Divergence.UNKNOWN ? group : body / Divergence.GROUP_BODIES,
                body,
                component,
                commandTick);
    }

    /** The digest of a component. A change of any single bit changes it. */
    public static short digest(long bits) {
        return (short) ((bits * 0x9E3779B97F4A7C15L) >>> 48);
    }
}
