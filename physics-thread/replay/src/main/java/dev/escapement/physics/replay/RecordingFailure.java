package dev.escapement.physics.replay;

import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;

/**
 * The failure that ended a recording while its run continued.
 *
 * @param tick  the first simulation tick that may be missing from the log
 * @param cause the cause
 * @see dev.escapement.physics.replay.log.Recording
 */
public record RecordingFailure(long tick, IOException cause) {

    @Override
    public String toString() {
        return "recording ended before tick " + tick + ": " + FailureReport.why(cause);
    }
}
