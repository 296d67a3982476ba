package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LogSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A log in memory. Counts the bytes that readers read. */
public final class MemorySource implements LogSource {

    long readBytes;

    private final byte[] bytes;

    public MemorySource(byte[] bytes) {
        this.bytes = bytes;
    }

    public static InputLog log(byte[] bytes) throws IOException {
        return InputLog.read(new MemorySource(bytes));
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
