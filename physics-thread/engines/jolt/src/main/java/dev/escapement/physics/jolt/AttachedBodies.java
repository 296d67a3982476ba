package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import java.util.Arrays;

/**
 * The native addresses and the engine's ids of the attached bodies, by their index, and the indices by address. Jolt's callbacks pass
 * addresses, and the binding can find the body of an address only by creating an object. The table keeps the id of a body, because the
 * native body may have been destroyed.
 *
 * <p>{@code WorldSimulation.attached(int)} takes the same indices: when a body is removed, the last one takes its index.
 *
 * <p>Only one thread may use it. Allocates when bodies are added, not when they are looked up.
 */
final class AttachedBodies {

    static final int NONE = -1;

    /** 2^64 divided by the golden ratio: multiplied by it, addresses, which are multiples of a power of two, differ in the highest bits. */
    private static final long FIBONACCI = 0x9E37_79B9_7F4A_7C15L;

    private long[] addresses = new long[16];
    private int[] ids = new int[16];

    /** The limit of a body's angular velocity when it was added, by index, radians a second; 0 for a static body. */
    private float[] maxSpeeds = new float[16];

    private int size;

    /** A hash table with linear probing, at most half full: indices plus 1, and 0 in free places. */
    private int[] table = new int[32];

    private int last;

    int size() {
        return size;
    }

    /** Returns the engine's id that a body had when it was added. */
    int id(int index) {
        return ids[index];
    }

    float maxSpeed(int index) {
        return maxSpeeds[index];
    }

    void add(Body body) {
        if (size == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * size);
            ids = Arrays.copyOf(ids, 2 * size);
            maxSpeeds = Arrays.copyOf(maxSpeeds, 2 * size);
            table = new int[2 * table.length];
            for (int index = 0; index < size; index++) {
                table[place(addresses[index])] = index + 1;
            }
        }
        addresses[size] = body.va();
        ids[size] = body.getId();
        maxSpeeds[size] = body.isStatic() ? 0 : body.getMotionProperties().getMaxAngularVelocity();
        table[place(body.va())] = size + 1;
        size++;
    }

    void remove(Body body) {
        int removed = place(body.va());
        int index = table[removed] - 1;
        close(removed);
        size--;
        if (index < size) {
            table[place(addresses[size])] = index + 1;
            addresses[index] = addresses[size];
            ids[index] = ids[size];
            maxSpeeds[index] = maxSpeeds[size];
        }
    }

    /** Moves later entries of the probe sequence up into a freed place, so that no search ends too early. */
    private void close(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int at = (hole + 1) & mask; table[at] != 0; at = (at + 1) & mask) {
            int home = home(addresses[table[at] - 1]);
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = 0;
    }

    /**
     * Returns the index of a body, or {@link #NONE}. Captures search the bodies in order, each more than once. So the last result and the
     * index after it are tried before the table.
     */
    int find(Body body) {
        long address = body.va();
        if (!isAt(last, address)) {
            int next = last + 1 < size ? last + 1 : 0;
            if (!isAt(next, address)) {
                return find(address);
            }
            last = next;
        }
        return last;
    }

    private boolean isAt(int index, long address) {
        return index < size && addresses[index] == address;
    }

    int find(long address) {
        return table[place(address)] - 1;
    }

    /** Returns the place of an address in the table, or the free place where it belongs. */
    private int place(long address) {
        int at = home(address);
        while (table[at] != 0 && addresses[table[at] - 1] != address) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private int home(long address) {
        return (int) ((address * FIBONACCI) >>> (Long.numberOfLeadingZeros(table.length) + 1));
    }
}
