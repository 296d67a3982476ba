package dev.escapement.physics.log;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;

/** Where the bytes of a log come from, and by what name errors call it. Tests have logs without files. Any thread. */
interface LogSource {

    /** Opens it at its start, as often as somebody reads it. */
    SeekableByteChannel open() throws IOException;
}
