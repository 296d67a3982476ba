package dev.escapement.state.snapshot;

/**
 * The id of a body: the slot that its pose is stored in, and the slot's generation, so that an old id never names a later body in the same
 * slot. A {@code long}, so that ids cost no object.
 *
 * <pre>{@code
 * int index = BodyId.slot(id);   // where to find the body in every array
 * }</pre>
 *
 * <p>A slot's generation is odd while it has a body, and even while it has none. Any thread.
 *
 * @see Bodies
 */
public final class BodyId {

    private BodyId() {}

    /**
     * {@return the id of these numbers}
     *
     * @param slot       where the body's pose is stored, at least 0
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
     * {@return whether a slot of this generation holds a body: whether it is odd}
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
