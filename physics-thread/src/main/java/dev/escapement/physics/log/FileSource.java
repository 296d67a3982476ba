package dev.escapement.physics.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file, which is only read. */
record FileSource(Path file) implements LogSource {

    @Override
    public SeekableByteChannel open() throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
