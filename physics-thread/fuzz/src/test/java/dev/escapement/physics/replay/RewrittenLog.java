package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A log as a recording would have written it: the same ticks after the same header. */
final class RewrittenLog {

    private RewrittenLog() {}

    static byte[] of(InputLog log, byte[] header) throws IOException {
        TickEncoder encoder = new TickEncoder(log.components().size(), 0);
        try (LogReader ticks = log.reader()) {
            while (ticks.next()) {
                encoder.put(ticks.tick());
            }
        }
        if (log.isComplete()) {
            encoder.putEnd();
        }
        ByteBuffer records = encoder.buffer().flip();
        byte[] bytes = Arrays.copyOf(header, header.length + records.remaining());
        records.get(bytes, header.length, records.remaining());
        return bytes;
    }
}
