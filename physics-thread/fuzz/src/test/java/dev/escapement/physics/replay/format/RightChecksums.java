package dev.escapement.physics.replay.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Corrects the framing of random bytes, so that they pass as a log: the start of the header, lengths that exceed the bytes, and checksums.
 * Negative lengths stay, as the only fault. A recorded log stays unchanged.
 */
public final class RightChecksums {

    private static final int PREFIX_BYTES = LogFormat.MAGIC.length + 2 * Integer.BYTES;

    private RightChecksums() {}

    /** Returns a copy of {@code bytes} with right framing, as far as the bytes suffice. */
    public static byte[] of(byte[] bytes) {
        byte[] log = bytes.clone();
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        if (log.length >= PREFIX_BYTES + Integer.BYTES) {
            buffer.put(LogFormat.MAGIC);
            buffer.putInt(buffer.getInt(buffer.position()) == 1 ? 1 : LogFormat.VERSION);
            int length = length(buffer, buffer.position(), log.length - PREFIX_BYTES - Integer.BYTES);
            if (length >= 0) {
                int end = PREFIX_BYTES + length;
                buffer.putInt(end, LogFormat.checksum(buffer, 0, end));
                records(buffer, end + Integer.BYTES);
            }
        }
        return log;
    }

    private static void records(ByteBuffer buffer, int from) {
        int at = from;
        while (at >= 0 && buffer.limit() - at >= LogFormat.RECORD_HEADER_BYTES) {
            at = record(buffer, at);
        }
    }

    /** Corrects one record. Returns the offset of the next one, negative if the record's length is negative. */
    private static int record(ByteBuffer buffer, int at) {
        int payload = at + LogFormat.RECORD_HEADER_BYTES;
        int length = length(buffer, at, buffer.limit() - payload);
        buffer.putInt(at + Integer.BYTES, LogFormat.checksum(buffer, at, at + Integer.BYTES));
        if (length < 0) {
            return length;
        }
        buffer.putInt(at + 2 * Integer.BYTES, LogFormat.checksum(buffer, payload, payload + length));
        return payload + length;
    }

    private static int length(ByteBuffer buffer, int at, int available) {
        int length = buffer.getInt(at);
        if (length > available) {
            length %= available + 1;
            buffer.putInt(at, length);
        }
        return length;
    }
}
