package dev.escapement.physics.replay.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of a log; replaced in tests, for example by a full disk. One thread at a time. */
interface LogSink {

    /** Appends all remaining bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Ends writing, and returns when the bytes are on stable storage. */
    void close() throws IOException;
}
