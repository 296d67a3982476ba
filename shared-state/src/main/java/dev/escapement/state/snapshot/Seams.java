package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * The few bodies of a block that cannot be blended like the others between a tick and the one before it. Blending goes over
 * the whole block without a branch, and these are put right afterwards.
 *
 * <p>Not thread-safe: see {@link Snapshot}. Grows when a tick has more seams than any before.
 *
 * @see dev.escapement.state.capture.PoseWriter#teleport
 */
public final class Seams {

    /** What is special, and what the three floats of the seam mean. */
    public enum Kind {
        /** Spawned, despawned, teleported or not to be blended: shown as at the earlier tick until the later one. */
        BROKEN,
        /** Jumped and went on: blend from the earlier position plus (x, y, z), metres. */
        SHIFTED,
        /** Hit something: along the straight line from the earlier position plus (x, y, z), because a curve would swing out. */
        STRAIGHT,
        /** Turned by more than half a turn: blend along the rotation vector (x, y, z), radians. */
        SPINNING
    }

    private static final int FLOATS = 3;

    private Kind[] kinds = {Kind.BROKEN, Kind.BROKEN, Kind.BROKEN, Kind.BROKEN};
    private short[] indices = new short[4];
    private float[] vectors = new float[4 * FLOATS];
    private int count;

    Seams() {}

    /**
     * Adds a seam.
     *
     * @param kind  what is special
     * @param index the body's index within its block
     * @param x     see {@link Kind}
     * @param y     see {@link Kind}
     * @param z     see {@link Kind}
     */
    public void add(Kind kind, int index, float x, float y, float z) {
        if (count == indices.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            indices = Arrays.copyOf(indices, 2 * count);
            vectors = Arrays.copyOf(vectors, 2 * count * FLOATS);
        }
        kinds[count] = kind;
        indices[count] = (short) index;
        int at = count * FLOATS;
        vectors[at] = x;
        vectors[at + 1] = y;
        vectors[at + 2] = z;
        count++;
    }

    /**
     * Adds to the vector of a body's seam.
     *
     * @param kind  the kind of the seam, which the body has
     * @param index the body's index within its block
     * @param x     metres
     * @param y     metres
     * @param z     metres
     * @throws IllegalArgumentException if the body has no such seam
     */
    public void addTo(Kind kind, int index, float x, float y, float z) {
        int at = FLOATS * find(kind, index);
        vectors[at] += x;
        vectors[at + 1] += y;
        vectors[at + 2] += z;
    }
    /**
     * Makes the vector of a body's seam zero.
     *
     * @param kind  the kind of the seam, which the body has
     * @param index the body's index within its block
     * @throws IllegalArgumentException if the body has no such seam
     */
    public void cancel(Kind kind, int index) {
        int at = FLOATS * find(kind, index);
        vectors[at] = 0;
        vectors[at + 1] = 0;
        vectors[at + 2] = 0;
    }

    /** Forgets all. */
    public void clear() {
        count = 0;
    }

    /**
     * How many there are.
     *
     * @return seams, one body may have several
     */
    public int count() {
        return count;
    }

    /**
     * What is special.
     *
     * @param seam 0 to {@link #count()} - 1
     * @return the kind
     */
    public Kind kind(int seam) {
        return kinds[seam];
    }

    /**
     * Which body.
     *
     * @param seam 0 to {@link #count()} - 1
     * @return its index within the block
     */
    public int index(int seam) {
        return indices[seam];
    }

    /**
     * The seam's vector.
     *
     * @param seam 0 to {@link #count()} - 1
     * @return see {@link Kind}
     */
    public float x(int seam) {
        return vectors[seam * FLOATS];
    }

    /**
     * The seam's vector.
     *
     * @param seam 0 to {@link #count()} - 1
     * @return see {@link Kind}
     */
    public float y(int seam) {
        return vectors[seam * FLOATS + 1];
    }

    /**
     * The seam's vector.
     *
     * @param seam 0 to {@link #count()} - 1
     * @return see {@link Kind}
     */
    public float z(int seam) {
        return vectors[seam * FLOATS + 2];
    }

    private int find(Kind kind, int index) {
        for (int seam = count - 1; seam >= 0; seam--) {
            if (kinds[seam] == kind && indices[seam] == index) {
                return seam;
            }
        }
        throw new IllegalArgumentException("body " + index + " has no seam " + kind);
    }

    long addTo(long checksum) {
        long sum = checksum;
        for (int seam = 0; seam < count; seam++) {
            sum = Checksum.add(sum, kinds[seam].name().hashCode());
            sum = Checksum.add(sum, indices[seam]);
        }
        return Checksum.add(sum, vectors, count * FLOATS);
    }
}
