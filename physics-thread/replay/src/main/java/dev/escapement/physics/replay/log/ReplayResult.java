package dev.escapement.physics.replay.log;

import dev.escapement.physics.spi.TickSource;
import java.util.Optional;

/**
 * The result of a {@linkplain InputLog#repeat repeated} log.
 *
 * @param outcome    whether the failure came again for which the log was archived
 * @param divergence the first tick that led to another state than the recorded one; empty if none did
 * @param text       outcome and divergence in one line
 * @see InputLog#repeat
 */
public record ReplayResult(Outcome outcome, Optional<TickSource.Divergence> divergence, String text) {

    /** Whether a recorded failure came again. */
    public enum Outcome {
        /** The failure came again, in the same tick. */
        REPEATED,
        /** The states differ from the recorded ones, or something else was thrown. */
        DIFFERED,
        /** The failure did not come again. */
        RAN_THROUGH,
        /** All ticks of the log led to the recorded states, but the log ends before the failure. */
        INCOMPLETE
    }

    @Override
    public String toString() {
        return text;
    }
}
