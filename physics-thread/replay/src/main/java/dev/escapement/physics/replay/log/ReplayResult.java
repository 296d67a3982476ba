package dev.escapement.physics.replay.log;

import dev.escapement.physics.spi.Divergence;
import java.util.Optional;

/**
 * How it ended to {@linkplain InputLog#repeat repeat} a log.
 *
 * @param outcome    what became of the failure for which the log was archived
 * @param divergence the first tick that led to another state than the recorded one; empty if none did
 * @param text       both in a line
 * @see InputLog#repeat
 */
public record ReplayResult(Outcome outcome, Optional<Divergence> divergence, String text) {

    /** Whether a recorded failure came again. */
    public enum Outcome {
        /** It came again, in the same tick. */
        REPEATED,
        /** The states differ from the recorded ones, or something else was thrown. */
        DIFFERED,
        /** It did not come again. */
        RAN_THROUGH,
        /** All ticks of the log led to the recorded states, but the log was cut before the failure. */
        INCOMPLETE
    }

    @Override
    public String toString() {
        return text;
    }
}
