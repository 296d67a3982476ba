package dev.escapement.state.event;

/**
 * Receives the events of a stream one after the other, on the thread that drains.
 *
 * @see EventStream#drain(EventVisitor)
 */
@FunctionalInterface
public interface EventVisitor {

    /**
     * Called for each event.
     *
     * @param event valid during this call: it is reused afterwards
     */
    void event(BodyEvent event);
}
