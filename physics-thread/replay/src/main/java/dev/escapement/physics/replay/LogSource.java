package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.InputStream;

/** Provides the bytes of a log; {@code toString()} names it in errors. Tests use logs without files. Any thread. */
interface LogSource {

    /** How many bytes there are now. */
    long size() throws IOException;

    /**
     * Opens it at its start, once for each reader. A pending interrupt must neither end the reading nor be cleared, because user code runs
     * on the threads that read.
     */
    InputStream open() throws IOException;
}
