package dev.escapement.physics.simulation;

/**
 * The failure of a service whose physics thread did not return from user code. User code is, for example, a step or a command. The stack
 * trace shows where the physics thread was when it was abandoned.
 *
 * <p>See {@code PhysicsServiceBuilder.watchdog}.
 */
public final class HungSimulationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message what hung, and for how long
     * @param hung    the stack of the physics thread
     */
    public HungSimulationException(String message, StackTraceElement[] hung) {
        super(message);
        setStackTrace(hung);
    }
}
