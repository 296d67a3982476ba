package dev.escapement.physics.spi;

import dev.escapement.physics.PhysicsService;
import org.jspecify.annotations.Nullable;

/**
 * Something that went wrong in a run. Each {@link TickHook} receives it.
 *
 * @param reason what happened
 * @param tick   the tick in which it happened, or before which: the number of a command's tick
 * @param thrown what was thrown, or the stack of a thread that hangs; null if nothing was
 * @param detail more of it, in words; may be empty
 * @see TickHook#fault
 */
public record TickFault(Reason reason, long tick, @Nullable Throwable thrown, String detail) {

    /** The kinds of faults. Hooks find the last three, not the service. */
    public enum Reason {
        /** A command threw, or something that ends the run: see {@link PhysicsService}. */
        THREW,
        /** The physics thread did not return from a call, and was abandoned. */
        HUNG,
        /** A pose was not finite, or its rotation not normalised. */
        NOT_FINITE,
        /** The state differs from that of the run that is followed. */
        DIFFERED,
        /** A tick took longer than a limit. */
        SLOW,
        /** The process ended without closing the service. */
        DIED,
        /** It was asked for. */
        ASKED
    }
}
