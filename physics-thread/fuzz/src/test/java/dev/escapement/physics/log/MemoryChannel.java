package dev.escapement.physics.log;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** Reads bytes from memory, from their start to their end. */
final class MemoryChannel implements SeekableByteChannel {

    private final MemorySource source;
    private final ByteBuffer bytes;
    private boolean open = true;

    MemoryChannel(MemorySource source, byte[] bytes) {
        this.source = source;
        this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer target) {
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int length = Math.min(target.remaining(), bytes.remaining());
        target.put(target.position(), bytes, bytes.position(), length).position(target.position() + length);
        bytes.position(bytes.position() + length);
        source.readBytes += length;
        return length;
    }

    @Override
    public long size() {
        return bytes.limit();
    }

    @Override
    public long position() {
        return bytes.position();
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
        bytes.position(Math.toIntExact(newPosition));
        return this;
    }

    @Override
    public int write(ByteBuffer more) {
        throw new UnsupportedOperationException("a log that is read is not written");
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
        throw new UnsupportedOperationException("a log that is read is not cut");
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
    }
}
