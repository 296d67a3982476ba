package dev.escapement.state.event;

/**
 * Receives the events of a stream one after the other, on the thread that drains.
 *
 * @see EventStream#drain(EventVisitor)
 */
@FunctionalInterface
public interface EventVisitor {

    /**
     * Called for each event. An exception goes to the caller of {@link EventStream#drain}; the event counts as handed out.
     *
     * @param event valid during this call: it is reused afterwards
     */
    void event(BodyEvent event);
}
