package dev.escapement.physics.replay.format;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Encodes ticks as records, one after the other, by the grammar of {@link LogFormat}.
 *
 * <p>One thread. Allocates only when a tick needs more room than any before.
 */
public final class TickEncoder implements InputLevels.Visitor {

    private static final int MAX_INT_BYTES = 5;

    /**
     * Room for the fixed part of a record: 7 numbers, of which a tick needs 3 (its own, its length, its count of events), two 8-byte
     * values, and flags.
     */
    private static final int MAX_FIXED_BYTES = 7 * LogFormat.MAX_NUMBER_BYTES + 2 * Long.BYTES + 1;

    private static final int MAX_LEVEL_BYTES = 1 + 2 * MAX_INT_BYTES + Float.BYTES;
    private static final int MAX_EVENT_BYTES = 3 * LogFormat.MAX_NUMBER_BYTES + 1 + 2 * MAX_INT_BYTES + 2 * Float.BYTES;

    /** The byte after the last input level, where the kind of another level would be. */
    private static final byte NO_MORE = 0;

    static final byte EVENTS_WANTED = 1;
    static final byte BEGUN = 2;

    /** Flag: events have senders. Without it all events come from sender 0. */
    static final byte SENDERS = 4;

    private final InputLevels levels = new InputLevels();
    private final List<CommandName> commandTypes;
    private final byte[] numberBytes = new byte[LogFormat.MAX_NUMBER_BYTES];
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer buffer;

    public TickEncoder(List<CommandName> commandTypes, int initialBytes) {
        this.commandTypes = commandTypes;
        buffer = ByteBuffer.allocateDirect(initialBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the encoded records. A tick that needs more room replaces the buffer. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Appends a tick. Before it, appends its seek, if there was one, and the commands that ran before its step. */
    public void put(LoggedTick tick) throws IOException {
        if (tick.wentBackTo >= 0) {
            putWentBack(tick.wentBackTo);
        }
        for (int i = 0; i < tick.commands.size(); i++) {
            put(tick.commands.get(i));
        }
        if (!tick.local.isEmpty()) {
            putLocal(tick.local.equals(TickHook.Stepped.COMMAND) ? "" : tick.local);
        }
        int start = begin(0);
        putTick(
                tick.number,
                tick.budgetUsed,
                tick.stateHash,
                tick.input(),
                tick.hasHash ? 0 : BEGUN,
                tick.eventsWanted);
        endRecord(start);
    }

    public void putBegun(Tick tick) throws IOException {
        int start = begin(0);
        putTick(tick.number(), tick.budgetUsed(), 0, tick.input(), BEGUN, tick.eventsWanted());
        endRecord(start);
    }

    /** Appends the hash of the state after the tick of {@link #putBegun}, and what its step used that no log can repeat. */
    public void putHash(long stateHash, String local) throws IOException {
        int start = begin(LogFormat.MAX_NAME_BYTES);
        putNumber(LogFormat.HASH_AFTER);
        buffer.putLong(stateHash);
        putWords(local);
        endRecord(start);
    }

    public void put(CommandData command) throws IOException {
        int start = begin(command.bytes().length);
        putNumber(LogFormat.COMMAND);
        putNumber(commandTypes.indexOf(command.type()));
        putNumber(command.bytes().length);
        buffer.put(command.bytes());
        endRecord(start);
    }

    /** Appends what ran before a tick and no log can repeat, in words. */
    public void putLocal(String what) throws IOException {
        int start = begin(LogFormat.MAX_NAME_BYTES);
        putNumber(LogFormat.LOCAL_COMMAND);
        putWords(what);
        endRecord(start);
    }

    private void putWords(String words) {
        if (!words.isEmpty()) { // getBytes() allocates
            byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
            buffer.put(bytes, 0, Math.min(bytes.length, LogFormat.MAX_NAME_BYTES));
        }
    }

    /** Appends a seek, which also undoes the commands since the last tick. */
    public void putWentBack(long to) throws IOException {
        int start = begin(0);
        putNumber(LogFormat.WENT_BACK);
        putNumber(to);
        endRecord(start);
    }

    /**
     * Sets the input levels (held keys and buttons, axes, joined senders) before the next tick, whose record will have only the levels that
     * its events do not explain.
     */
    public void setLevels(InputFrame input) {
        levels.update(input, (sender, kind, code, x) -> {});
    }

    /** Appends a {@link SavedState} with the input levels that are held. Later records do not depend on records before it. */
    public void putState(long tick, long number, boolean hasState, StateBuffer state) throws IOException {
        int start = begin(state.size());
        putNumber(LogFormat.SAVED_STATE);
        putNumber(tick);
        putNumber(number);
        buffer.put((byte) (hasState ? 1 : 0));
        levels.visitHeld(this);
        buffer.put(NO_MORE);
        reserve(state.size());
        buffer.put(state.array(), 0, state.size());
        endRecord(start);
    }

    /** Begins a record with room for {@code bytes} bytes besides numbers, events and input levels. Returns its offset. */
    private int begin(int bytes) throws IOException {
        requireRecord(bytes);
        int start = buffer.position();
        reserve(LogFormat.RECORD_HEADER_BYTES + MAX_FIXED_BYTES + bytes);
        buffer.position(start + LogFormat.RECORD_HEADER_BYTES);
        return start;
    }

    private void putTick(
            long number, double budgetUsed, long stateHash, InputFrame input, int flags, boolean eventsWanted) {
        putNumber(number);
        putNumber(input.lengthNanos());
        buffer.putDouble(budgetUsed).putLong(stateHash);
        boolean senders = hasSenders(input);
        buffer.put((byte) (flags | (eventsWanted ? EVENTS_WANTED : 0) | (senders ? SENDERS : 0)));
        putEvents(input, senders);
        levels.update(input, this);
        buffer.put(NO_MORE);
    }

    public void putEnd() {
        reserve(LogFormat.RECORD_HEADER_BYTES);
        buffer.put(LogFormat.end());
    }

    private void endRecord(int start) throws IOException {
        int payload = start + LogFormat.RECORD_HEADER_BYTES;
        requireRecord(buffer.position() - payload);
        buffer.putInt(start, buffer.position() - payload);
        buffer.putInt(start + Integer.BYTES, LogFormat.checksum(checksum, buffer, start, start + Integer.BYTES));
        buffer.putInt(start + 2 * Integer.BYTES, LogFormat.checksum(checksum, buffer, payload, buffer.position()));
    }

    private boolean hasSenders(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            if (input.event(i).sender() != 0) {
                return true;
            }
        }
        return false;
    }

    private void putEvents(InputFrame input, boolean senders) {
        putNumber(input.size());
        int sender = 0;
        long sequence = 0;
        long timeNanos = 0;
        long expectedOffsetNanos = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            reserve(MAX_EVENT_BYTES + 1); // 1 more for NO_MORE, which ends the levels
            putNumber(event.sequence() - sequence);
            putNumber(event.timeNanos() - timeNanos);
            if (i > 0) {
                expectedOffsetNanos += event.timeNanos() - timeNanos;
            }
            putNumber(event.offsetNanos() - expectedOffsetNanos);
            byte kind = event.kind().number();
            buffer.put(event.isLate() ? (byte) -kind : kind);
            putNumber(event.code());
            buffer.putInt(Float.floatToRawIntBits(event.x())).putInt(Float.floatToRawIntBits(event.y()));
            if (senders) {
                putNumber(event.sender() - sender);
                sender = event.sender();
            }
            sequence = event.sequence();
            timeNanos = event.timeNanos();
            expectedOffsetNanos = event.offsetNanos();
        }
    }

    @Override
    public void visit(int sender, InputKind kind, int code, float x) {
        reserve(MAX_LEVEL_BYTES + 1); // 1 more for NO_MORE, which ends the levels
        buffer.put(kind.number());
        putNumber(sender);
        putNumber(code);
        buffer.putInt(Float.floatToRawIntBits(x));
    }

    private void putNumber(long number) {
        buffer.put(numberBytes, 0, LogFormat.putNumber(numberBytes, 0, number));
    }

    private static void requireRecord(int bytes) throws IOException {
        if (bytes > LogFormat.MAX_RECORD_BYTES) {
            throw new IOException("a record would have " + bytes + " bytes, but a log has room for "
                    + LogFormat.MAX_RECORD_BYTES + " in each");
        }
    }

    private void reserve(int bytes) {
        if (buffer.remaining() < bytes) {
            int needed = Math.addExact(buffer.position(), bytes);
            buffer = ByteBuffer.allocateDirect(Math.max(needed, 2 * buffer.capacity()))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(buffer.flip());
        }
    }
}
