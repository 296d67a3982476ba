package dev.escapement.physics.replay.format;

import dev.escapement.physics.replay.DamagedLogException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the bytes of a log in order, through a buffer that grows with the largest record. One thread.
 */
final class LogBytes implements Closeable {

    private static final int CHUNK_BYTES = 1 << 16;

    private final LogSource source;
    private final InputStream stream;

    /** The length of the file when it was opened. Later appended bytes are ignored. */
    private final long size;

    private long unread;

    private ByteBuffer buffer;

    LogBytes(LogSource source) throws IOException {
        this.source = source;
        size = source.size();
        stream = source.open();
        unread = size;
        buffer = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, size))
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(0);
    }

    /** Reads ahead until the buffer has {@code bytes} bytes. Returns false, without allocating, if the file has fewer. */
    boolean require(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return true;
        }
        if (available() < bytes) {
            return false;
        }
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocate(Math.max(2 * buffer.capacity(), bytes))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(buffer);
        } else {
            buffer.compact();
        }
        int wanted = (int) Math.min(buffer.remaining(), unread);
        int read = stream.readNBytes(buffer.array(), buffer.position(), wanted);
        if (read < wanted) {
            throw damaged(size - unread - buffer.position(), "the file was cut while it was read");
        }
        unread -= read;
        buffer.position(buffer.position() + read).flip();
        return true;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    long available() {
        return buffer.remaining() + unread;
    }

    long offset() {
        return size - available();
    }

    DamagedLogException damaged(long offset, String reason) {
        return new DamagedLogException(source.toString(), offset, reason);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
