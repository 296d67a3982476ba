package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.Serial;

/**
 * Reports that a file is no log, is damaged, or was written by another version. The message has the position and the reason.
 *
 * @see dev.escapement.physics.replay.log.InputLog#open
 */
public final class DamagedLogException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The offset of the damaged record, in bytes from the file's start. */
    private final long offset;

    /**
     * Creates an exception.
     *
     * @param log    names the log
     * @param offset the position of the damage
     * @param reason what is wrong there
     */
    public DamagedLogException(String log, long offset, String reason) {
        super(log + " at byte " + offset + ": " + reason);
        this.offset = offset;
    }

    /** {@return the offset of the damaged record, in bytes from the file's start} */
    public long offset() {
        return offset;
    }
}
