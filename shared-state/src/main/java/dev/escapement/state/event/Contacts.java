package dev.escapement.state.event;

import java.util.List;

/**
 * The contacts that last after a tick. A set of them that follows the events of later ticks stays right: a contact that begins joins it, a
 * contact that ends leaves it.
 *
 * @param tick     a published tick: the set has the effect of its events and earlier ones already
 * @param touching the contacts
 */
public record Contacts(long tick, List<Contact> touching) {

    /**
     * Two shapes that touch, named as by a {@link BodyEvent}.
     *
     * @param body       the id of the body
     * @param other      the id of the other body, or {@link BodyEvent#NO_BODY}
     * @param otherKey   the key of another thing without a pose, see {@link BodyEvent#otherKey()}
     * @param shape      the shape of the body, or {@link BodyEvent#NO_SHAPE}
     * @param otherShape the shape of the other side, or {@link BodyEvent#NO_SHAPE}
     * @param isSensor   whether one of them is a sensor
     */
    public record Contact(long body, long other, long otherKey, int shape, int otherShape, boolean isSensor) {

        /**
         * {@return the contact that an event is about}
         *
         * @param event a contact's event
         */
        public static Contact of(BodyEvent event) {
            return new Contact(
                    event.body(), event.other(), event.otherKey(), event.shape(), event.otherShape(), event.isSensor());
        }
    }

    /** A simulation that knows its contacts, as those of all engines do. */
    @FunctionalInterface
    public interface Source {

        /**
         * Reports all contacts that last, each by {@link EventWriter#contactEnded}, as if it ended. Physics thread.
         *
         * @param contacts takes them, valid during this call
         * @throws IllegalStateException if no contacts were wanted in the last step
         */
        void touching(EventWriter contacts);
    }
}
