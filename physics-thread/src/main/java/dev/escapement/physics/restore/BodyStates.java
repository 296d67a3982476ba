package dev.escapement.physics.restore;

import java.util.List;

/**
 * A simulation whose state can be read body by body, so that a comparison of two runs can name the first bodies that differ.
 *
 * <pre>{@code
 * public List<String> stateComponents() {
 *     return List.of("x", "y");
 * }
 *
 * public void readState(int body, long[] bits, int at) {
 *     bits[at] = Double.doubleToRawLongBits(x[body]);
 *     bits[at + 1] = Double.doubleToRawLongBits(y[body]);
 * }
 * }</pre>
 *
 * <p>Physics thread only, except {@link #stateComponents()}.
 */
public interface BodyStates {

    /** {@return the number of bodies: their indices are 0 to {@code bodyCount() - 1}} */
    int bodyCount();

    /**
     * {@return a name for each component of the state of a body, always the same} Any thread may ask, also before the first
     * tick.
     */
    List<String> stateComponents();

    /**
     * {@return the settings on which the next state depends and that are no state, such as the engine's number of sub-steps; empty, the
     * default, if there is nothing} A log has it, and a simulation with other settings is refused there. Any thread; the same from when the
     * service is built.
     */
    default String settings() {
        return "";
    }

    /**
     * Reads the state of a body in the engine's own precision, before any conversion. It should allocate nothing.
     *
     * @param body its number
     * @param bits takes the raw bits of each component
     * @param at   the index of the first component; the others follow
     */
    void readState(int body, long[] bits, int at);

    /**
     * Reads the states of consecutive bodies. Override it if that can be done faster than one by one.
     *
     * @param from the number of the first body
     * @param to   the number after that of the last one
     * @param bits takes the raw bits: the components of the first body from index 0 on, those of the others after them
     */
    default void readStates(int from, int to, long[] bits) {
        int components = stateComponents().size();
        for (int body = from; body < to; body++) {
            readState(body, bits, (body - from) * components);
        }
    }
}
