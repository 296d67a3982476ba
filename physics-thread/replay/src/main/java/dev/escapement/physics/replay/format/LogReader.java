package dev.escapement.physics.replay.format;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.restore.StateBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the ticks of a log once, in order.
 *
 * <pre>{@code
 * try (LogReader reader = log.reader()) {
 *     while (reader.next()) {
 *         LoggedTick tick = reader.tick();
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>One thread. Buffers at most 64 KiB or the largest record.
 */
public final class LogReader implements Closeable {

    private final LogBytes source;
    private final LogHeader header;
    private final TickDecoder decoder;
    private final long lastPosition;
    private final SavedState start;

    /** Offset of the first record in the file. */
    private final long records;

    private boolean ended;
    private boolean closedInOrder;

    /** Creates a reader before the first tick. It stops after {@code lastPosition}, even if the file has grown. */
    public LogReader(LogSource log, long lastPosition) throws IOException {
        source = new LogBytes(log);
        this.lastPosition = lastPosition;
        try {
            header = LogHeader.decode(source);
            records = source.offset();
            decoder = new TickDecoder(header.description().rate(), header.commandTypes());
            if (nextIs(LogFormat.SAVED_STATE)) {
                readRecord();
            }
        } catch (Throwable unreadable) {
            source.close();
            throw unreadable;
        }
        start = decoder.saved();
    }

    public LogHeader header() {
        return header;
    }

    public SavedState start() {
        return start;
    }

    public StateBuffer startState() {
        return StateBuffer.unsealed(decoder.startBytes());
    }

    /** Reads the next tick. Returns false at the end of the log. Throws {@link DamagedLogException} if the file is damaged. */
    public boolean next() throws IOException {
        if (ended || tick().position == lastPosition) {
            return false;
        }
        while (readRecord()) {
            if (decoder.isTick()) {
                if (nextIs(LogFormat.HASH_AFTER)) {
                    readRecord();
                }
                return true;
            }
        }
        // An incomplete recording has whole ticks only. A log that a flight recorder has archived may end with commands
        // whose tick did not begin. Then that tick counts as the last one, so that its commands run.
        boolean endsBeforeTick = header.report() != null && isBeforeTick();
        if (endsBeforeTick) {
            decoder.endBeforeTick();
        }
        return endsBeforeTick;
    }

    public long recordsOffset() {
        return records;
    }

    /** Returns the offset after the last record that was read. */
    public long offset() {
        return source.offset();
    }

    /** Whether the last records are commands whose tick was not read yet. */
    public boolean isBeforeTick() {
        return decoder.isBeforeTick();
    }

    /** Reads a record. Returns false at the end of the log. */
    public boolean readRecord() throws IOException {
        long at = source.offset();
        int length = recordLength(at);
        // A crash may leave an incomplete record: the log ends before it.
        if (length < 0 || !source.require(LogFormat.RECORD_HEADER_BYTES + length)) {
            ended = true;
            return false;
        }
        ByteBuffer payload = payload(at, length);
        if (length == 0) {
            ended = true;
            closedInOrder = true;
            if (source.available() > 0) {
                throw damaged(source.offset(), source.available() + " bytes follow the end of the log");
            }
            return false;
        }
        String damage = decoder.decode(payload);
        if (damage != null) {
            throw source.damaged(at, "the file is damaged: " + damage);
        }
        return true;
    }

    /** Whether another record follows whose payload begins with {@code number}. */
    private boolean nextIs(long number) throws IOException {
        int length = recordLength(source.offset());
        if (length < 1 || !source.require(LogFormat.RECORD_HEADER_BYTES + length)) {
            return false;
        }
        ByteBuffer ahead = source.buffer().duplicate();
        int payload = ahead.position() + LogFormat.RECORD_HEADER_BYTES;
        ahead.limit(payload + length).position(payload);
        try {
            return LogFormat.getNumber(ahead) == number;
        } catch (BufferUnderflowException tooShort) {
            return false; // decode refuses the record
        }
    }

    /** Returns the tick that was read last. {@link #next()} overwrites it. */
    public LoggedTick tick() {
        return decoder.tick();
    }

    /** Whether the reader reached the end record, which only a closed recording has. */
    public boolean isClosedInOrder() {
        return closedInOrder;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    private DamagedLogException damaged(long at, String reason) {
        return source.damaged(at, "the file is damaged after tick " + tick().number + ": " + reason);
    }

    /** Returns the length of the next record's payload; negative if the file ends before. */
    private int recordLength(long at) throws IOException {
        if (!source.require(LogFormat.RECORD_HEADER_BYTES)) {
            return -1;
        }
        ByteBuffer buffer = source.buffer();
        int start = buffer.position();
        int length = buffer.getInt(start);
        if (buffer.getInt(start + Integer.BYTES) != LogFormat.checksum(buffer, start, start + Integer.BYTES)) {
            throw damaged(at, "the checksum of the record's length is wrong");
        }
        if (length < 0 || length > LogFormat.MAX_RECORD_BYTES) {
            throw damaged(at, "a record cannot have " + length + " bytes");
        }
        return length;
    }

    private ByteBuffer payload(long at, int length) throws IOException {
        ByteBuffer buffer = source.buffer();
        int start = buffer.position();
        int payload = start + LogFormat.RECORD_HEADER_BYTES;
        if (buffer.getInt(start + 2 * Integer.BYTES) != LogFormat.checksum(buffer, payload, payload + length)) {
            throw damaged(at, "the checksum of the record of " + length + " bytes is wrong");
        }
        buffer.position(payload + length);
        return buffer.slice(payload, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
