package dev.escapement.physics.world;

/**
 * When an engine reports that a contact has begun: how fast bodies closed in has to be read before the engine has stopped them.
 *
 * @see dev.escapement.state.event.BodyEvent#closingSpeed()
 */
public enum ContactTiming {
    /** Before the contact is solved. */
    BEFORE_SOLVE,
    /** After the step that has solved it, with points that were found when the step began. */
    POINTS_BEFORE_STEP,
    /**
     * The same, of an engine whose bodies can be read safely after a capture only: what commands change after the capture is not seen, and
     * in the first tick of a body, or of listening, no speed is known.
     */
    POINTS_BEFORE_STEP_READ_IN_CAPTURE,
    /** After the step that has solved it, with points where they are then. */
    POINTS_AFTER_STEP
}
