package dev.escapement.state.snapshot;

/**
 * The id of a body: its slot, and the generation of that slot, packed into a {@code long}.
 *
 * <pre>
 *   bits 63..32  generation of the slot: odd while it holds a body, even while it is free
 *   bits 31..0   slot: the index of the body in every array
 * </pre>
 *
 * <p>The generation grows with each spawn and despawn in the slot, so an old id never names a later body in the same slot. Any thread.
 *
 * @see Bodies
 */
public final class BodyId {

    private BodyId() {}

    /**
     * {@return the id of a body}
     *
     * @param slot       its slot, at least 0
     * @param generation the generation of the slot
     */
    public static long of(int slot, int generation) {
        return ((long) generation << Integer.SIZE) | slot;
    }

    /**
     * {@return the slot of an id}
     *
     * @param id an id
     */
    public static int slot(long id) {
        return (int) id;
    }

    /**
     * {@return the generation of an id, odd if it is the id of a body}
     *
     * @param id an id
     */
    public static int generation(long id) {
        return (int) (id >>> Integer.SIZE);
    }

    /**
     * {@return whether a slot of this generation holds a body: true if it is odd}
     *
     * @param generation a generation
     */
    public static boolean isLive(int generation) {
        return (generation & 1) != 0;
    }

    /**
     * {@return slot and generation as text, such as {@code 17#3}}
     *
     * @param id an id
     */
    public static String toString(long id) {
        return slot(id) + "#" + generation(id);
    }
}
