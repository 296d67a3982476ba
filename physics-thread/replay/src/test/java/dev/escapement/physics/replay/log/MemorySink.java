package dev.escapement.physics.replay.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** Fake disk of limited size, which may be slow. */
final class MemorySink implements LogSink {

    /** The disk blocks until this latch is at zero. */
    final CountDownLatch ready;

    private final int roomBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    MemorySink(int roomBytes) {
        this(roomBytes, new CountDownLatch(0));
    }

    MemorySink(int roomBytes, CountDownLatch ready) {
        this.roomBytes = roomBytes;
        this.ready = ready;
    }

    @Override
    public void write(ByteBuffer more) throws IOException {
        try {
            ready.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        while (more.hasRemaining()) {
            if (bytes.size() == roomBytes) {
                throw new IOException("no space left on device");
            }
            bytes.write(more.get());
        }
    }

    @Override
    public void close() {}

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
