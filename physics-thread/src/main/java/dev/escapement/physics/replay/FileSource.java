package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a log from a file. */
record FileSource(Path file) implements LogSource {

    @Override
    public long size() throws IOException {
        return Files.size(file);
    }

    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file); // not a FileChannel, which an interrupt closes
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
