package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.TickEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes a log in batches of complete ticks. One thread.
 *
 * <p>If a batch cannot be written completely, the file is truncated to the batch before; if that fails too, readers find an incomplete
 * record.
 */
final class LogWriter {

    /** The size of a batch: larger ones are not faster. */
    private static final int BATCH_BYTES = 1 << 16;

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    private final LogSink sink;
    private TickEncoder encoder = new TickEncoder(List.of(), 0);
    private long writtenBytes;
    private long writtenTick;

    /** A published tick, as {@link #writtenTick}. */
    private long encodedTick;

    private boolean reportedOfCommands;

    LogWriter(LogSink sink) {
        this.sink = sink;
    }

    void begin(LogHeader header) throws IOException {
        encoder = new TickEncoder(header.commandTypes(), 2 * BATCH_BYTES);
        write(header.encode());
    }

    void put(LoggedTick tick) throws IOException {
        if (tick.commandsRan && !reportedOfCommands) {
            reportedOfCommands = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Before tick " + tick.number
                            + " a command ran that is not data, so that this recording cannot repeat it, and a"
                            + " replay may differ from there; give commands that change the state a CommandType");
        }
        encoder.put(tick);
        encodedTick++;
        if (encoder.buffer().position() >= BATCH_BYTES) {
            flush();
        }
    }

    /** Writes the ticks that were put. */
    void flush() throws IOException {
        ByteBuffer batch = encoder.buffer().flip();
        try {
            write(batch);
        } finally {
            batch.clear();
        }
        writtenTick = encodedTick;
    }

    void end() throws IOException {
        encoder.putEnd();
        flush();
    }

    /** The last tick that is certainly in the log. */
    long writtenTick() {
        return writtenTick;
    }

    private void write(ByteBuffer bytes) throws IOException {
        long afterwards = writtenBytes + bytes.remaining();
        try {
            sink.write(bytes);
        } catch (IOException failed) {
            takeBack(failed);
            throw failed;
        }
        writtenBytes = afterwards;
    }

    private void takeBack(IOException failed) {
        try {
            sink.truncate(writtenBytes);
        } catch (IOException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }
}
