package dev.escapement.physics.spi;

import dev.escapement.physics.PhysicsService;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a run, which each {@link TickHook} receives.
 *
 * @param reason the kind of fault
 * @param tick   the tick in which it happened; for a command, the tick before which it ran
 * @param thrown the exception, or one with the stack of a thread that hangs; null if there is none
 * @param detail details in words; may be empty
 * @see TickHook#fault
 */
public record TickFault(Reason reason, long tick, @Nullable Throwable thrown, String detail) {

    /**
     * The kinds of faults. Hooks receive all of them from the service, except the last two, which a hook such as a flight recorder notes
     * itself.
     */
    public enum Reason {
        /** A command threw, or other user code did, whose exception ends the run; {@link PhysicsService} lists that code. */
        THREW,
        /** The physics thread did not return from a call, and was abandoned. */
        HUNG,
        /** A pose was not finite, or its rotation not normalised. */
        NOT_FINITE,
        /** The state differs from that in the source log. */
        DIFFERED,
        /** The process ended without closing the service, or could not write the file of a fault. */
        DIED,
        /** No fault of the run: a user requested a report, or a flight recorder, which could write no more. */
        ASKED
    }
}
