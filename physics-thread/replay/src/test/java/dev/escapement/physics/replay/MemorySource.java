package dev.escapement.physics.replay;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A log that is in no file. Counts what is read of it. */
final class MemorySource implements LogSource {

    /** Over all passes. */
    long readBytes;

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
        return new ByteArrayInputStream(bytes) {
            @Override
            public int readNBytes(byte[] target, int offset, int length) {
                int read = super.readNBytes(target, offset, length);
                readBytes += read;
                return read;
            }
        };
    }

    @Override
    public String toString() {
        return "memory";
    }
}
