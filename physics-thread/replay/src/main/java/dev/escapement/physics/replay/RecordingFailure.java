package dev.escapement.physics.replay;

import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;

/**
 * Why a recording ended before its run did.
 *
 * @param tick  the first tick that may be missing from the log, as readers of the log count them; the log has the ticks before it, or fewer
 *              if the disk lost more
 * @param cause the cause
 * @see dev.escapement.physics.replay.log.Recording
 */
public record RecordingFailure(long tick, IOException cause) {

    @Override
    public String toString() {
        return "recording ended before tick " + tick + ": " + FailureReport.why(cause);
    }
}
