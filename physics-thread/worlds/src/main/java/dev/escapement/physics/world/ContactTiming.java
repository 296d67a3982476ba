package dev.escapement.physics.world;

/**
 * The time at which an engine reports that a contact has begun. Closing speeds must be read before the engine has stopped the bodies.
 *
 * @see dev.escapement.state.event.BodyEvent#closingSpeed()
 */
public enum ContactTiming {
    /** The engine reports before it solves the contact. */
    BEFORE_SOLVE,
    /** The engine reports after the step that solved the contact, with points from the beginning of the step. */
    POINTS_BEFORE_STEP,
    /**
     * The engine reports like {@link #POINTS_BEFORE_STEP}, but its bodies can be read safely only after a capture. The closing speed does
     * not include changes by commands after the capture. It is unknown in the first tick of a body, and in the first tick whose contacts
     * are wanted.
     */
    POINTS_BEFORE_STEP_READ_IN_CAPTURE,
    /** The engine reports after the step that solved the contact, with points at their places after the step. */
    POINTS_AFTER_STEP
}
