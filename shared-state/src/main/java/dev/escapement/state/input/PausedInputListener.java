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
     * @param event what happened, reused after this call
     * @param state what is held now
     */
    void happened(InputEvent event, InputState state);
}
