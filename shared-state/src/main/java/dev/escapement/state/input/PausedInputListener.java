package dev.escapement.state.input;

/**
 * Gets the events that no tick takes, because simulated time stands still or a replay runs: for menus, for example.
 *
 * @see InputEvent
 */
@FunctionalInterface
public interface PausedInputListener {

    /**
     * Called on the physics thread, in the order of time, after the event was applied to the levels.
     *
     * <p>An exception fails the service, as one of the simulation does; an {@code InlineDriver} throws it to its caller. The event counts
     * as delivered. Those after it wait for the driver's next call.
     *
     * @param event what happened, reused after this call
     * @param state the levels after the event
     */
    void happened(InputEvent event, InputState state);
}
