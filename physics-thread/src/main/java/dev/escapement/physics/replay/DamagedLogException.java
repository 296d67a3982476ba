package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.Serial;

/**
 * Thrown for a file that is no log, is damaged, or was written by another version. The message has the position and the reason.
 *
 * @see InputLog#open
 */
public final class DamagedLogException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Bytes from the file's start, to the record that cannot be read. */
    private final long offset;

    DamagedLogException(LogSource source, long offset, String reason) {
        super(source + " at byte " + offset + ": " + reason);
        this.offset = offset;
    }

    /** {@return the position of the damage: bytes from the file's start, to the record that cannot be read} */
    public long offset() {
        return offset;
    }
}
