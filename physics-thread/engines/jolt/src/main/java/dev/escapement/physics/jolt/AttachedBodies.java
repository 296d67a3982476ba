package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * A map from the native addresses of bodies to their slots, because Jolt's callbacks pass addresses: the binding can find the body of an
 * address only by creating an object. Also keeps the engine's id of each body, for when the native body was destroyed.
 *
 * <p>One thread. Allocates when bodies are added, not when they are looked up.
 */
final class BodySlots {

    /** The slot of a body that was not captured yet. */
    static final int NOT_YET = -2;

    private long[] addresses = new long[16]; // sorted
    private Body[] bodies = new Body[16];
    private int[] ids = new int[16];
    private int[] slots = new int[16];
    private int size;
    private int withoutSlot;

    void add(Body body, int slot) {
        if (size == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * size);
            bodies = Arrays.copyOf(bodies, 2 * size);
            ids = Arrays.copyOf(ids, 2 * size);
            slots = Arrays.copyOf(slots, 2 * size);
        }
        int at = -find(body.va()) - 1;
        move(at, at + 1);
        addresses[at] = body.va();
        bodies[at] = body;
        ids[at] = body.getId();
        slots[at] = slot;
        withoutSlot += slot == NOT_YET ? 1 : 0;
        size++;
    }

    void remove(Body body) {
        int at = find(body.va());
        withoutSlot -= slots[at] == NOT_YET ? 1 : 0;
        move(at + 1, at);
        size--;
    }

    /** The index of a body, negative if it is not in the map. */
    int find(Body body) {
        return find(body.va());
    }

    /** The engine's id that a body had when it was added. */
    int id(int at) {
        return ids[at];
    }

    /** The slot of the body at an address, {@link EventWriter#NO_BODY} if it is not in the map. */
    int slotOf(long address) {
        int at = find(address);
        return at < 0 ? EventWriter.NO_BODY : slots[at];
    }

    /** Sets the slots of bodies that had none, by a function that returns a negative number if a body still has none. */
    void learn(ToIntFunction<Body> slotOf) {
        for (int at = 0; withoutSlot > 0 && at < size; at++) {
            int slot = slots[at] == NOT_YET ? slotOf.applyAsInt(bodies[at]) : EventWriter.NO_BODY;
            if (slot >= 0) {
                slots[at] = slot;
                withoutSlot--;
            }
        }
    }

    private int find(long address) {
        return Arrays.binarySearch(addresses, 0, size, address);
    }

    private void move(int from, int to) {
        int count = size - from;
        System.arraycopy(addresses, from, addresses, to, count);
        System.arraycopy(bodies, from, bodies, to, count);
        System.arraycopy(ids, from, ids, to, count);
        System.arraycopy(slots, from, slots, to, count);
    }
}
