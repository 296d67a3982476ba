package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a log to a new file. */
final class FileSink implements LogSink {

    private final FileChannel channel;

    FileSink(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void truncate(long length) throws IOException {
        channel.truncate(length);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            channel.force(true);
        }
    }
}
