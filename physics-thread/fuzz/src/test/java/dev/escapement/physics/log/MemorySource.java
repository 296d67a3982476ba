package dev.escapement.physics.log;

import java.nio.channels.SeekableByteChannel;

/** A log that is in no file. Counts what is read of it. */
final class MemorySource implements LogSource {

    /** Over all passes. */
    long readBytes;

    private final byte[] bytes;

    MemorySource(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public SeekableByteChannel open() {
        return new MemoryChannel(this, bytes);
    }

    @Override
    public String toString() {
        return "memory";
    }
}
