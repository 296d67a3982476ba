package dev.escapement.physics;

/**
 * Why a service failed whose physics thread did not come out of the user's code: a step, a capture, a command. The stack trace
 * is the physics thread's own, at the moment it was abandoned.
 *
 * @see PhysicsServiceBuilder#watchdog
 */
public final class HungSimulationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    HungSimulationException(String message, Thread hung) {
        super(message);
        setStackTrace(hung.getStackTrace());
    }
}
