package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the bytes of a log go. Tests have disks that are full. One thread at a time. */
interface LogSink {

    /** Appends all of them. */
    void write(ByteBuffer bytes) throws IOException;

    /** Takes back what was appended beyond a length. */
    void truncate(long length) throws IOException;

    /** Returns when what was appended would survive a loss of power. No more is written. */
    void close() throws IOException;
}
