package dev.escapement.physics.replay;

import java.util.List;

/**
 * A simulation whose state can be looked at body by body, so that the first body and the first component that differ between two runs
 * can be named.
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

    /**
     * How many bodies there are.
     *
     * @return bodies 0 to {@code bodyCount() - 1}
     */
    int bodyCount();

    /**
     * What the state of a body consists of. Any thread may ask, before the first tick too.
     *
     * @return a name for each component, always the same; at most 255
     */
    List<String> stateComponents();

    /**
     * Reads the state of a body in the engine's own precision, before any alignment or conversion. Called for every body in every tick
     * that is recorded: it should allocate nothing.
     *
     * @param body its number
     * @param bits where the raw bits of each component go
     * @param at   the place of the first component, those of the others follow
     */
    void readState(int body, long[] bits, int at);
}
