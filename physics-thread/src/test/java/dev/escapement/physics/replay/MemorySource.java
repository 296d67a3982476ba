package dev.escapement.physics.replay;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A log that is in no file. */
final class MemorySource implements LogSource {

    private final byte[] bytes;

    MemorySource(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(bytes);
    }

    @Override
    public String toString() {
        return "memory";
    }
}
