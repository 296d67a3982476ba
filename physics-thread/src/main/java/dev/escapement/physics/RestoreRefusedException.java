package dev.escapement.physics;

/**
 * A state does not fit a simulation, which is as it was before: it can go on. After any other exception of
 * {@link dev.escapement.physics.replay.Restorable#restore} it cannot.
 */
public final class RestoreRefusedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message what does not fit, and what to do
     */
    public RestoreRefusedException(String message) {
        super(message);
    }
}
