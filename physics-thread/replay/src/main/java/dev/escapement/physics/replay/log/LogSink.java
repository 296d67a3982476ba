package dev.escapement.physics.replay.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes the bytes of a log. Tests replace it, for example by a full disk. One thread at a time. */
interface LogSink {

    /** Appends all remaining bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Closes the sink, and returns when all bytes are on stable storage. */
    void close() throws IOException;
}
