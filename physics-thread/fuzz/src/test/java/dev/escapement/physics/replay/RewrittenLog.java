package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A log as a recording would have written it: the same ticks, in the format's newest version. */
final class RewrittenLog {

    private RewrittenLog() {}

    static byte[] of(InputLog log) throws IOException {
        LogHeader header;
        TickEncoder encoder;
        try (LogReader ticks = log.reader()) {
            header = new LogHeader(
                    log.run(),
                    log.components(),
                    ticks.header().commandTypes(),
                    ticks.header().digests());
            encoder = new TickEncoder(header.newDigests(), header.commandTypes(), 0);
            while (ticks.next()) {
                encoder.put(ticks.tick());
            }
        }
        if (log.isComplete()) {
            encoder.putEnd();
        }
        ByteBuffer start = header.encode();
        ByteBuffer records = encoder.buffer().flip();
        return ByteBuffer.allocate(start.remaining() + records.remaining())
                .put(start)
                .put(records)
                .array();
    }
}
