package dev.escapement.physics.restore;

/**
 * A saved state is damaged or does not fit a simulation. The simulation is unchanged and can continue. After any other exception of a
 * restore, the simulation cannot continue.
 *
 * @see dev.escapement.physics.restore.Restorable#restore
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
