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
        if (log.length < PREFIX_BYTES + Integer.BYTES) {
            return log;
        }
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(LogFormat.MAGIC);
        buffer.putInt(buffer.getInt(buffer.position()) == 1 ? 1 : LogFormat.VERSION);
        int length = length(buffer, buffer.position(), log.length - PREFIX_BYTES - Integer.BYTES);
        int at = PREFIX_BYTES + length + Integer.BYTES;
        if (length >= 0) {
            buffer.putInt(PREFIX_BYTES + length, LogFormat.checksum(buffer, 0, PREFIX_BYTES + length));
        }
        while (length >= 0 && log.length - at >= LogFormat.RECORD_HEADER_BYTES) {
            int payload = at + LogFormat.RECORD_HEADER_BYTES;
            length = length(buffer, at, log.length - payload);
            buffer.putInt(at + Integer.BYTES, LogFormat.checksum(buffer, at, at + Integer.BYTES));
            if (length >= 0) {
                buffer.putInt(at + 2 * Integer.BYTES, LogFormat.checksum(buffer, payload, payload + length));
            }
            at = payload + length;
        }
        return log;
    }

    /** Returns the length at an offset, reduced to what is available if it exceeds that. A negative length stays. */
    private static int length(ByteBuffer buffer, int at, int available) {
        int length = buffer.getInt(at);
        if (length > available) {
            length %= available + 1;
            buffer.putInt(at, length);
        }
        return length;
    }
}
