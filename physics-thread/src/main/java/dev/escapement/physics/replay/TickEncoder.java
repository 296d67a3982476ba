package dev.escapement.physics.replay;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.LevelTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Encodes ticks as records, one after the other. Levels and bodies are encoded only if they have changed since the tick before.
 *
 * <pre>
 *   tick      number | length in nanoseconds | budget used, double | hash of the state, long | flags, byte
 *             if a flag says so: commands | each command
 *             events | each event | levels | each level
 *             and if bodies have components: bodies | entries | each of these
 *   command   number of its type | bytes | each byte
 *   event     sequence | time | offset | level, its kind negative if the event is late | y, float
 *   level     kind, byte | code | x, float
 *   entry     its number, unless all follow | hash of a group of bodies, int, or digest of each component of a body, short
 * </pre>
 *
 * <p>Some numbers are written as the difference from an expected one: sequence, time and number of an entry from those of the element
 * before; the offset of an event from that of the event before plus the difference of their times.
 *
 * <p>One thread. Allocates only when a tick needs more room than any before.
 */
final class TickEncoder implements LevelTracker.Visitor {

    private static final int MAX_INT_BYTES = 5;
    private static final int MAX_FIXED_BYTES = 7 * LogFormat.MAX_NUMBER_BYTES + 2 * Long.BYTES + 1;
    private static final int MAX_LEVEL_BYTES = 1 + MAX_INT_BYTES + Float.BYTES;
    private static final int MAX_EVENT_BYTES = 3 * LogFormat.MAX_NUMBER_BYTES + MAX_LEVEL_BYTES + Float.BYTES;
    static final byte EVENTS_WANTED = 1;
    static final byte COMMANDS_RAN = 2;
    static final byte COMMANDS = 4;

    private final LevelTracker levels = new LevelTracker();
    private final BodyDigests known;
    private final List<CommandName> commandTypes;
    private ByteBuffer buffer;
    private int levelCount;

    TickEncoder(BodyDigests none, List<CommandName> commandTypes, int initialBytes) {
        this.commandTypes = commandTypes;
        known = none.another();
        buffer = ByteBuffer.allocateDirect(initialBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The encoded ticks. A tick that needs more room replaces the buffer. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Appends a tick to the buffer. */
    void put(LoggedTick tick) throws IOException {
        int start = buffer.position();
        reserve(maxBytes(tick));
        buffer.position(start + LogFormat.RECORD_HEADER_BYTES);
        InputFrame input = tick.input();
        putNumber(tick.number);
        putNumber(input.lengthNanos());
        buffer.putDouble(tick.budgetUsed).putLong(tick.stateHash);
        buffer.put((byte) ((tick.eventsWanted ? EVENTS_WANTED : 0)
                | (tick.commandsRan ? COMMANDS_RAN : 0)
                | (tick.commands.isEmpty() ? 0 : COMMANDS)));
        putCommands(tick.commands);
        putEvents(input);
        putLevels(input);
        if (known.width > 0) {
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

    private void putCommands(List<CommandData> commands) throws IOException {
        if (commands.isEmpty()) {
            return;
        }
        if (commands.size() > LogFormat.MAX_COMMANDS) {
            throw new IOException(commands.size() + " commands ran before a tick, but a record has room for "
                    + LogFormat.MAX_COMMANDS);
        }
        putNumber(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            CommandData command = commands.get(i);
            putNumber(commandTypes.indexOf(command.type()));
            putNumber(command.bytes().length);
            buffer.put(command.bytes());
        }
    }

    private void putEvents(InputFrame input) {
        putNumber(input.size());
        long sequence = 0;
        long timeNanos = 0;
        long expectedOffsetNanos = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            putNumber(event.sequence() - sequence);
            putNumber(event.timeNanos() - timeNanos);
            if (i > 0) {
                expectedOffsetNanos += event.timeNanos() - timeNanos;
            }
            putNumber(event.offsetNanos() - expectedOffsetNanos);
            byte kind = event.kind().number();
            putLevel(event.isLate() ? (byte) -kind : kind, event.code(), event.x());
            buffer.putInt(Float.floatToRawIntBits(event.y()));
            sequence = event.sequence();
            timeNanos = event.timeNanos();
            expectedOffsetNanos = event.offsetNanos();
        }
    }

    private void putLevels(InputFrame input) {
        int countAt = buffer.position();
        buffer.putShort((short) 0);
        levelCount = 0;
        levels.follow(input, this);
        buffer.putShort(countAt, (short) levelCount);
    }

    /** Appends a level that has changed. */
    @Override
    public void level(InputKind kind, int code, float x) {
        putLevel(kind.number(), code, x);
        levelCount++;
    }

    private void putLevel(byte kind, int code, float x) {
        buffer.put(kind);
        putNumber(code);
        buffer.putInt(Float.floatToRawIntBits(x));
    }

    private void putBodies(BodyDigests digests) {
        int entries = digests.entries();
        int changed = 0;
        for (int entry = 0; entry < entries; entry++) {
            changed += hasChanged(entry, digests) ? 1 : 0;
        }
        // If most have changed, all entries without numbers take less room than these with numbers.
        int entryBytes = digests.width * Short.BYTES;
        boolean all = (long) changed * (entryBytes + 1) >= (long) entries * entryBytes;
        putNumber(digests.bodies());
        putNumber(all ? entries : changed);
        int next = 0;
        for (int entry = 0; entry < entries; entry++) {
            if (all) {
                putEntry(entry, digests);
            } else if (hasChanged(entry, digests)) {
                putNumber(entry - next);
                putEntry(entry, digests);
                next = entry + 1;
            }
        }
        known.copyFrom(digests);
    }

    private boolean hasChanged(int entry, BodyDigests digests) {
        return entry >= known.entries() || digests.firstDifference(entry, known) >= 0;
    }

    private void putEntry(int entry, BodyDigests digests) {
        for (int at = 0; at < digests.width; at++) {
            buffer.putShort(digests.get(entry, at));
        }
    }

    private void putNumber(long number) {
        LogFormat.putNumber(buffer, number);
    }

    private static long maxBytes(LoggedTick tick) {
        BodyDigests digests = tick.digests;
        long commandBytes = 0;
        for (int i = 0; i < tick.commands.size(); i++) {
            commandBytes +=
                    2 * LogFormat.MAX_NUMBER_BYTES + tick.commands.get(i).bytes().length;
        }
        return commandBytes
                + LogFormat.RECORD_HEADER_BYTES
                + MAX_FIXED_BYTES
                + (long) MAX_EVENT_BYTES * tick.input().size()
                + (long) MAX_LEVEL_BYTES * LevelTracker.MAX_LEVELS
                + (MAX_INT_BYTES + (long) Short.BYTES * digests.width) * digests.entries();
    }

    private void reserve(long bytes) throws IOException {
        if (bytes > LogFormat.MAX_RECORD_BYTES) {
            throw new IOException(
                    "a tick may need " + bytes + " bytes, but a record has room for " + LogFormat.MAX_RECORD_BYTES);
        }
        if (buffer.remaining() < bytes) {
            int needed = Math.addExact(buffer.position(), (int) bytes);
            buffer = ByteBuffer.allocateDirect(Math.max(needed, 2 * buffer.capacity()))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(buffer.flip());
        }
    }
}
