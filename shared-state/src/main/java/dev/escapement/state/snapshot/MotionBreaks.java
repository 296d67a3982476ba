package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * The few bodies of a block that readers cannot blend like the others. Readers blend the whole block without a branch, then these bodies
 * one by one.
 *
 * <p>A motion break belongs to the interval between a tick and the one before it; {@link MotionBlock#corrections} has those of several
 * ticks. Not thread-safe: see {@link Snapshot}. Grows when it has more motion breaks than ever before.
 */
public final class MotionBreaks {

    /** The way to blend the body of a motion break, and the meaning of its three floats (x, y, z). */
    public enum Kind {
        /** Spawned, despawned, teleported or not blended: show the earlier pose until the later tick. */
        BROKEN,
        /** Teleported by a distance in addition to its motion: blend from the earlier position plus (x, y, z), metres. */
        SHIFTED,
        /** Turned by more than half a turn: blend along the rotation vector (x, y, z), radians. */
        SPINNING,
        /** Had a position error of (x, y, z), metres, at the earlier tick, which was re-simulated: blend from the right position. */
        CORRECTED,
        /** Had a rotation error of the vector (x, y, z), radians, at the earlier tick: blend from the right rotation. */
        CORRECTED_TURN
    }

    private static final int FLOATS = 3;

    // Each of the five arrays has one element per motion break. The breaks of one body form a list, from its last to
    // its first.
    private Kind[] kinds = {Kind.BROKEN, Kind.BROKEN, Kind.BROKEN, Kind.BROKEN};
    private short[] indices = new short[4];
    private long[] ticks = new long[4]; // set in corrections that a block keeps
    private float[] vectors = new float[4 * FLOATS]; // x, y, z
    private int[] before = new int[4]; // 1 + the index of the body's previous motion break, 0 if there is none
    int count;

    /** Per body of the block, 1 + the index of its last motion break, 0 if it has none. */
    private int[] last;

    MotionBreaks(int room) {
        last = new int[room];
    }

    void grow(int room) {
        last = Arrays.copyOf(last, room);
    }

    /**
     * Adds a motion break.
     *
     * @param kind  the way to blend the body
     * @param index the body's index within its block
     * @param x     see {@link Kind}
     * @param y     see {@link Kind}
     * @param z     see {@link Kind}
     */
    public void add(Kind kind, int index, float x, float y, float z) {
        add(kind, index, x, y, z, Snapshot.NEVER_WRITTEN);
    }

    void add(Kind kind, int index, float x, float y, float z, long tick) {
        if (count == indices.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            indices = Arrays.copyOf(indices, 2 * count);
            ticks = Arrays.copyOf(ticks, 2 * count);
            vectors = Arrays.copyOf(vectors, 2 * count * FLOATS);
            before = Arrays.copyOf(before, 2 * count);
        }
        kinds[count] = kind;
        indices[count] = (short) index;
        ticks[count] = tick;
        int at = count * FLOATS;
        vectors[at] = x;
        vectors[at + 1] = y;
        vectors[at + 2] = z;
        before[count] = last[index];
        count++;
        last[index] = count;
    }

    /** Replaces all motion breaks with those of {@code source} since a tick, except for bodies whose motion {@code broken} breaks. */
    void keep(MotionBreaks source, MotionBreaks broken, long sinceTick) {
        clear();
        for (int e = 0; e < source.count; e++) {
            if (source.ticks[e] >= sinceTick && !broken.has(Kind.BROKEN, source.indices[e])) {
                add(source.kinds[e], source.indices[e], source.x(e), source.y(e), source.z(e), source.ticks[e]);
            }
        }
    }

    /**
     * {@return the tick of a correction}
     *
     * @param entry 0 to {@link #count()} - 1 of {@link MotionBlock#corrections()}
     */
    public long tick(int entry) {
        return ticks[entry];
    }

    /**
     * Shifts a body: adds to the vector of its {@link Kind#SHIFTED}, or adds a break of this kind.
     *
     * @param index the body's index within its block
     * @param x     metres
     * @param y     metres
     * @param z     metres
     */
    public void shift(int index, float x, float y, float z) {
        int entry = find(Kind.SHIFTED, index);
        if (entry < 0) {
            add(Kind.SHIFTED, index, x, y, z);
        } else {
            int at = FLOATS * entry;
            vectors[at] += x;
            vectors[at + 1] += y;
            vectors[at + 2] += z;
        }
    }

    /**
     * Makes the vector of a body's {@link Kind#SHIFTED} zero, if it has one.
     *
     * @param index the body's index within its block
     */
    public void cancelShift(int index) {
        int entry = find(Kind.SHIFTED, index);
        if (entry >= 0) {
            Arrays.fill(vectors, FLOATS * entry, FLOATS * (entry + 1), 0);
        }
    }

    /**
     * {@return whether a body has a motion break of a kind}
     *
     * @param kind  the kind
     * @param index the body's index within its block
     */
    public boolean has(Kind kind, int index) {
        return find(kind, index) >= 0;
    }

    /** Removes all motion breaks. */
    public void clear() {
        for (int entry = 0; entry < count; entry++) {
            last[indices[entry]] = 0;
        }
        count = 0;
    }

    /** {@return the number of motion breaks; one body may have several} */
    public int count() {
        return count;
    }

    /**
     * {@return the way to blend the body of a motion break}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public Kind kind(int entry) {
        return kinds[entry];
    }

    /**
     * {@return the index of a motion break's body within the block}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public int index(int entry) {
        return indices[entry];
    }

    /**
     * {@return x of a motion break's vector, see {@link Kind}}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public float x(int entry) {
        return vectors[entry * FLOATS];
    }

    /**
     * {@return y of a motion break's vector, see {@link Kind}}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public float y(int entry) {
        return vectors[entry * FLOATS + 1];
    }

    /**
     * {@return z of a motion break's vector, see {@link Kind}}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public float z(int entry) {
        return vectors[entry * FLOATS + 2];
    }

    /**
     * {@return the last motion break of a body, -1 if it has none}
     *
     * @param index the body's index within its block
     */
    public int last(int index) {
        return last[index] - 1;
    }

    /**
     * {@return the previous motion break of the same body, -1 if {@code entry} is its first}
     *
     * @param entry 0 to {@link #count()} - 1
     */
    public int before(int entry) {
        return before[entry] - 1;
    }

    private int find(Kind kind, int index) {
        int entry = last(index);
        while (entry >= 0 && kinds[entry] != kind) {
            entry = before(entry);
        }
        return entry;
    }

    long addTo(long checksum) {
        long sum = checksum;
        for (int entry = 0; entry < count; entry++) {
            sum = Checksum.add(sum, kinds[entry].name().hashCode());
            sum = Checksum.add(sum, indices[entry]);
        }
        return Checksum.add(sum, vectors, count * FLOATS);
    }
}
