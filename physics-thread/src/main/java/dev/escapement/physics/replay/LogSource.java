package dev.escapement.physics.replay;

import java.io.IOException;
import java.io.InputStream;

/** Where the bytes of a log come from, and by what name errors call it. Tests have logs without files. Any thread. */
interface LogSource {

    /** How many bytes there are now. */
    long size() throws IOException;

    /**
     * Opens it at its start, once for each reader. A pending interrupt must neither end the reading nor be lost: it is the
     * user's, whose code runs on the threads that read.
     */
    InputStream open() throws IOException;
}
