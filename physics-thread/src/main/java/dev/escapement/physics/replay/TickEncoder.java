package dev.escapement.physics.replay;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.LevelTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Encodes ticks as records, one after the other. Levels and bodies are encoded only if they have changed since the tick before.
 *
 * <pre>
 *   tick      number, long | length in nanoseconds, long | budget used, double | hash of the state, long | flags, byte
 *             events, int | each event | levels, int | each level
 *             and if bodies have components: bodies, int | changed ones, int | each of these
 *   event     sequence, long | time, long | offset, long | late, byte | level
 *   level     kind, byte | code, int | x, float (and of an event: | y, float)
 *   body      its number, int | the digest of each component, short
 * </pre>
 *
 * <p>One thread. Allocates only when a tick needs more room than any before.
 */
final class TickEncoder implements LevelTracker.Visitor {

    static final int FIXED_BYTES = 4 * Long.BYTES + 1;
    static final int EVENT_BYTES = 3 * Long.BYTES + 2 + 3 * Integer.BYTES;
    static final int LEVEL_BYTES = 1 + 2 * Integer.BYTES;
    static final byte EVENTS_WANTED = 1;
    static final byte COMMANDS_RAN = 2;

    private final LevelTracker levels = new LevelTracker();
    private final BodyDigests known;
    private ByteBuffer buffer;
    private int levelCount;

    TickEncoder(int components, int initialBytes) {
        known = new BodyDigests(components);
        buffer = ByteBuffer.allocateDirect(initialBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The encoded ticks. A tick that needs more room replaces the buffer. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Appends a tick to the buffer. */
    void put(LoggedTick tick) throws IOException {
        int start = buffer.position();
        reserve(mostBytes(tick));
        buffer.position(start + LogFormat.RECORD_HEADER_BYTES);
        InputFrame input = tick.input();
        buffer.putLong(tick.number)
                .putLong(input.lengthNanos())
                .putDouble(tick.budgetUsed)
                .putLong(tick.stateHash);
        buffer.put((byte) ((tick.eventsWanted ? EVENTS_WANTED : 0) | (tick.commandsRan ? COMMANDS_RAN : 0)));
        buffer.putInt(input.size());
        for (int i = 0; i < input.size(); i++) {
            put(input.event(i));
        }
        putLevels(input);
        if (known.components > 0) {
            putBodies(tick.digests);
        }
        endRecord(start);
    }

    /** Appends the end record. */
    void putEnd() throws IOException {
        reserve(LogFormat.RECORD_HEADER_BYTES);
        int start = buffer.position();
        buffer.position(start + LogFormat.RECORD_HEADER_BYTES);
        endRecord(start);
    }

    private void endRecord(int start) {
        int payload = start + LogFormat.RECORD_HEADER_BYTES;
        buffer.putInt(start, buffer.position() - payload);
        buffer.putInt(start + Integer.BYTES, LogFormat.checksum(buffer, start, start + Integer.BYTES));
        buffer.putInt(start + 2 * Integer.BYTES, LogFormat.checksum(buffer, payload, buffer.position()));
    }

    private void put(InputEvent event) {
        buffer.putLong(event.sequence()).putLong(event.timeNanos()).putLong(event.offsetNanos());
        buffer.put((byte) (event.isLate() ? 1 : 0));
        level(event.kind(), event.code(), event.x());
        buffer.putFloat(event.y());
    }

    private void putLevels(InputFrame input) {
        int countAt = buffer.position();
        buffer.putInt(0);
        levelCount = 0;
        levels.follow(input, this);
        buffer.putInt(countAt, levelCount);
    }

    /** Appends a level that has changed. */
    @Override
    public void level(InputKind kind, int code, float x) {
        buffer.put(KindCodes.codeOf(kind)).putInt(code).putInt(Float.floatToRawIntBits(x));
        levelCount++;
    }

    private void putBodies(BodyDigests digests) {
        int before = known.bodies();
        buffer.putInt(digests.bodies());
        int countAt = buffer.position();
        buffer.putInt(0);
        int changed = 0;
        for (int body = 0; body < digests.bodies(); body++) {
            if (body >= before || digests.firstDifference(body, known) >= 0) {
                putBody(body, digests);
                changed++;
            }
        }
        buffer.putInt(countAt, changed);
        known.copyFrom(digests);
    }

    private void putBody(int body, BodyDigests digests) {
        buffer.putInt(body);
        for (int component = 0; component < digests.components; component++) {
            buffer.putShort(digests.get(body, component));
        }
    }

    private static long mostBytes(LoggedTick tick) {
        BodyDigests digests = tick.digests;
        return LogFormat.RECORD_HEADER_BYTES
                + FIXED_BYTES
                + Integer.BYTES
                + (long) EVENT_BYTES * tick.input().size()
                + Integer.BYTES
                + (long) LEVEL_BYTES * LevelTracker.MOST_LEVELS
                + 2 * Integer.BYTES
                + (Integer.BYTES + (long) Short.BYTES * digests.components) * digests.bodies();
    }

    private void reserve(long bytes) throws IOException {
        if (bytes > LogFormat.MOST_RECORD_BYTES) {
            throw new IOException(
                    "a tick may need " + bytes + " bytes, but a record has room for " + LogFormat.MOST_RECORD_BYTES);
        }
        if (buffer.remaining() < bytes) {
            int needed = Math.addExact(buffer.position(), (int) bytes);
            buffer = ByteBuffer.allocateDirect(Math.max(needed, 2 * buffer.capacity()))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(buffer.flip());
        }
    }
}
