package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.StateBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A log as a recording would have written it: the same ticks, in the format's newest version. */
final class RewrittenLog {

    private RewrittenLog() {}

    static byte[] of(InputLog log) throws IOException {
        LogHeader header;
        TickEncoder encoder;
        try (LogReader ticks = log.reader()) {
            header = ticks.header();
            encoder = new TickEncoder(header.commandTypes(), 0);
            SavedState saved = ticks.start();
            if (!saved.equals(SavedState.AS_BUILT)) {
                encoder.putState(saved.tick(), saved.number(), saved.hasState(), ticks.startState());
            }
            while (ticks.next()) {
                saved = put(ticks.tick(), saved, encoder, log);
            }
        }
        if (log.isComplete()) {
            encoder.putEnd();
        }
        return bytes(header, encoder);
    }

    /** A header, and the records that an encoder has. */
    static byte[] bytes(LogHeader header, TickEncoder encoder) {
        ByteBuffer start = header.encode();
        ByteBuffer records = encoder.buffer().flip();
        return ByteBuffer.allocate(start.remaining() + records.remaining())
                .put(start)
                .put(records)
                .array();
    }

    /** A tick whose state is not known is the last of its part. */
    private static SavedState put(LoggedTick tick, SavedState saved, TickEncoder encoder, InputLog log)
            throws IOException {
        encoder.put(tick);
        if (tick.hasHash || tick.position == log.lastPosition()) {
            return saved;
        }
        SavedState next = new SavedState(tick.number, saved.number() + 1, true);
        encoder.putState(next.tick(), next.number(), next.hasState(), new StateBuffer());
        return next;
    }
}
