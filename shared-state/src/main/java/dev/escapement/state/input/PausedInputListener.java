package dev.escapement.state.input;

/**
 * Is told of what happens while simulated time stands still, when there is no tick to tell: menus, say.
 *
 * @see InputEvent
 */
@FunctionalInterface
public interface PausedInputListener {

    /**
     * Called on the physics thread, in the order of time. What the event did to what is held has been done.
     *
     * <p>What it throws fails the service, as what the simulation throws does; where the caller's own loop ticks, it comes out of there.
     * The event counts as told, and those after it wait: for the first tick after a restart, or for the loop's next call.
     *
     * @param event what happened, reused after this call
     * @param state what is held now
     */
    void happened(InputEvent event, InputState state);
}
