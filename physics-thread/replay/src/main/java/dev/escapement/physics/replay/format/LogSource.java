package dev.escapement.physics.replay.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Provides the bytes of a log; {@code toString()} names the log in errors. Tests have logs without files. Any thread. */
public interface LogSource {

    long size() throws IOException;

    /**
     * Opens the log at its start, once for each reader. A pending interrupt must neither end the reading nor be cleared, because user code
     * runs on the threads that read.
     */
    InputStream open() throws IOException;

    record File(Path file) implements LogSource {

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
}
