package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.Serial;

/**
 * A file that is no log, or no longer is what was written, or cannot be read by this version. Says where and why.
 *
 * @see InputLog#open
 */
public final class DamagedLogException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Where in the file it was found. */
    private final long offset;

    DamagedLogException(LogSource source, long offset, String reason) {
        super(source + " at byte " + offset + ": " + reason);
        this.offset = offset;
    }

    /**
     * Where it was found.
     *
     * @return bytes from the file's start, to the record that cannot be read
     */
    public long offset() {
        return offset;
    }
}
