package dev.escapement.state.event;

/**
 * Is handed one event after the other, on the thread that drains.
 *
 * @see EventStream#drain(EventVisitor)
 */
@FunctionalInterface
public interface EventVisitor {

    /**
     * One event.
     *
     * @param event valid during this call: it is written again afterwards
     */
    void event(BodyEvent event);
}
