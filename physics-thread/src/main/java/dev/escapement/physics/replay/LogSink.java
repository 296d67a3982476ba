package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the bytes of a log go. Tests have disks that are full. One thread at a time. */
interface LogSink {

    /** Appends all remaining bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Removes the bytes beyond a length. */
    void truncate(long length) throws IOException;

    /** Ends writing, and returns when the bytes would survive a loss of power. */
    void close() throws IOException;
}
