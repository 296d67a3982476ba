package dev.escapement.physics.replay.format;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.time.TickRate;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the ticks of a {@link TickEncoder}. Checks every number, because a checksum does not prove that an encoder wrote the file.
 *
 * <p>One thread. Allocates only when a tick is larger than any before, and no more than its record's bytes justify.
 */
public final class TickDecoder {

    /** The smallest event: two floats and five bytes. A count of events that needs more bytes than the record has is damage. */
    static final int MIN_EVENT_BYTES = 5 + 2 * Float.BYTES;

    /**
     * The limit of senders of a log, because a damaged log could name many, and each takes more memory than bytes in the file. Twice a
     * run's limit, because a run can begin with the senders of another run.
     */
    private static final int MAX_SENDERS = 2 * InputFrame.MAX_SENDERS;

    /** The kind of the last record that is not the hash of a tick. */
    private enum Last {
        NONE,
        TICK,
        COMMAND,
        OTHER
    }

    private final LoggedTick tick;
    private final TickRate rate;
    private final List<CommandName> commandTypes;
    private Last last = Last.NONE;
    private SavedState saved = SavedState.AS_BUILT;
    private byte[] startBytes = {};

    /** The first simulation tick to which a seek may lead. */
    private long startTick;

    /** Creates a decoder for the records of an encoder with the same command types. */
    public TickDecoder(TickRate rate, List<CommandName> commandTypes) {
        tick = new LoggedTick();
        this.rate = rate;
        this.commandTypes = commandTypes;
    }

    SavedState saved() {
        return saved;
    }

    byte[] startBytes() {
        return startBytes;
    }

    boolean isTick() {
        return last == Last.TICK;
    }

    /** Whether the last record was a command, of the tick that follows. */
    boolean isBeforeTick() {
        return last == Last.COMMAND;
    }

    /** Ends a log after commands whose tick did not begin: adds that tick without input. */
    void endBeforeTick() {
        last = Last.OTHER;
        tick.number++;
        tick.position++;
        tick.recordedInput.begin(rate.nanosAt(1));
        tick.budgetUsed = 0;
        tick.eventsWanted = false;
        tick.hasHash = false;
    }

    public LoggedTick tick() {
        return tick;
    }

    /** Decodes the next tick from a payload. Returns a description of the damage, or null. */
    @Nullable
    public String decode(ByteBuffer payload) {
        int bytes = payload.remaining();
        try {
            return decodeAny(payload);
        } catch (BufferUnderflowException | ArithmeticException wrong) {
            return "these " + bytes + " bytes cannot be a record: they end too early, or a number is too large";
        }
    }

    private @Nullable String decodeAny(ByteBuffer payload) {
        long number = next(payload, 0);
        if (number == LogFormat.HASH_AFTER && last == Last.TICK && !tick.hasHash) {
            return decodeHash(payload);
        }
        beginNext();
        if (number >= 1) {
            return decodeTick(number, payload);
        }
        if (number == LogFormat.SAVED_STATE) {
            return decodeSaved(payload);
        }
        if (number == LogFormat.COMMAND || number == LogFormat.LOCAL_COMMAND) {
            last = Last.COMMAND;
            return number == LogFormat.COMMAND ? decodeCommand(payload) : decodeLocal(payload);
        }
        if (number == LogFormat.WENT_BACK) {
            return decodeWentBack(payload);
        }
        return "a record that begins with " + number + " cannot follow tick " + tick.number;
    }

    /** Clears the seek and the commands of the preceding tick, before the first record of the next tick. */
    private void beginNext() {
        if (last == Last.TICK) {
            tick.wentBackTo = -1;
            forgetCommands();
        }
    }

    private void forgetCommands() {
        tick.commands.clear();
        tick.local = "";
    }

    private @Nullable String decodeSaved(ByteBuffer payload) {
        long number = next(payload, 0);
        long state = next(payload, 0);
        byte hasState = payload.get();
        if (hasState != 0 && hasState != 1) {
            return "a saved state cannot be of kind " + hasState;
        }
        boolean isFirst = last == Last.NONE;
        if (isFirst
                ? number < 0 || number > rate.tickAt(LogFormat.MAX_START_NANOS)
                : last == Last.COMMAND || number != tick.number || state != saved.number() + 1) {
            return "state " + state + " of tick " + number + " cannot follow state " + saved.number() + " and tick "
                    + tick.number;
        }
        saved = new SavedState(number, state, hasState == 1);
        tick.number = number;
        last = Last.OTHER;
        String why = decodeLevels(payload);
        if (isFirst && why == null) {
            startTick = number;
            tick.position = number;
            startBytes = new byte[payload.remaining()];
            payload.get(startBytes);
        }
        return why;
    }

    private @Nullable String decodeWentBack(ByteBuffer payload) {
        long to = next(payload, 0);
        if (to < startTick || to > tick.number) {
            return "the run cannot have gone back to tick " + to + " from tick " + tick.number
                    + ", because the log starts after tick " + startTick;
        }
        forgetCommands(); // the seek undid them
        last = Last.OTHER;
        tick.wentBackTo = to;
        tick.number = to;
        return end(null, payload);
    }

    private @Nullable String decodeHash(ByteBuffer payload) {
        tick.stateHash = payload.getLong();
        tick.hasHash = true;
        return payload.hasRemaining() ? decodeLocal(payload) : null;
    }

    private @Nullable String decodeLocal(ByteBuffer payload) {
        byte[] name = new byte[Math.min(payload.remaining(), LogFormat.MAX_NAME_BYTES)];
        payload.get(name);
        tick.local = name.length == 0 ? TickHook.Stepped.COMMAND : new String(name, StandardCharsets.UTF_8);
        return end(null, payload);
    }

    private @Nullable String end(@Nullable String why, ByteBuffer payload) {
        return why != null || !payload.hasRemaining()
                ? why
                : "tick " + tick.number + " has " + payload.remaining() + " bytes too many";
    }

    private @Nullable String decodeTick(long number, ByteBuffer payload) {
        if (number != tick.number + 1) {
            return "tick " + number + " cannot follow tick " + tick.number;
        }
        long lengthNanos = next(payload, 0);
        if (lengthNanos <= 0) {
            return "tick " + number + " cannot take " + lengthNanos + " ns";
        }
        double budgetUsed = payload.getDouble();
        if (!Double.isFinite(budgetUsed)) {
            return "tick " + number + " cannot say that " + budgetUsed + " of the budget was used";
        }
        long stateHash = payload.getLong();
        byte flags = payload.get();
        tick.number = number;
        tick.position++;
        tick.recordedInput.begin(lengthNanos);
        tick.budgetUsed = budgetUsed;
        tick.stateHash = stateHash;
        tick.eventsWanted = (flags & TickEncoder.EVENTS_WANTED) != 0;
        tick.hasHash = (flags & TickEncoder.BEGUN) == 0;
        if ((flags & ~(TickEncoder.EVENTS_WANTED | TickEncoder.BEGUN | TickEncoder.SENDERS)) != 0) {
            return "tick " + number + " has unknown flags " + flags;
        }
        last = Last.TICK;
        String why = decodeEvents(payload, (flags & TickEncoder.SENDERS) != 0);
        if (why == null) {
            why = decodeLevels(payload);
        }
        return end(why, payload);
    }

    private @Nullable String decodeCommand(ByteBuffer payload) {
        int type = nextInt(payload, 0);
        int bytes = nextInt(payload, 0);
        if (type < 0 || type >= commandTypes.size() || bytes < 0 || bytes > payload.remaining()) {
            return "no command of type number " + type + " with " + bytes + " bytes can follow tick " + tick.number;
        }
        byte[] data = new byte[bytes];
        payload.get(data);
        tick.commands.add(new CommandData(commandTypes.get(type), data));
        return end(null, payload);
    }

    private @Nullable String decodeEvents(ByteBuffer payload, boolean senders) {
        int count = count(nextInt(payload, 0), payload, MIN_EVENT_BYTES);
        int sender = 0;
        long sequence = 0;
        long beforeNanos = 0;
        long beforeOffsetNanos = 0;
        for (int i = 0; i < count; i++) {
            sequence = next(payload, sequence);
            long timeNanos = next(payload, beforeNanos);
            long sinceBeforeNanos = i == 0 ? 0 : timeNanos - beforeNanos;
            long offsetNanos = next(payload, beforeOffsetNanos + sinceBeforeNanos);
            byte kindCode = payload.get();
            boolean late = kindCode < 0;
            InputKind kind = InputKind.ofNumber((byte) (late ? -kindCode : kindCode));
            int code = nextInt(payload, 0);
            float x = payload.getFloat();
            float y = payload.getFloat();
            sender = senders ? nextInt(payload, sender) : 0;
            if (kind == null || !isPossible(sender, kind, code)) {
                return unknown("event", sender, kind, code);
            }
            long maxOffsetNanos = late ? 0 : tick.input().lengthNanos();
            if (offsetNanos < beforeOffsetNanos || offsetNanos > maxOffsetNanos) {
                return "tick " + tick.number + " has no place for an event " + offsetNanos + " ns into it, after one "
                        + beforeOffsetNanos + " ns into it" + (late ? ", late" : "");
            }
            // Times must not decrease, but may be equal: in the recording of a replay, events may have equal times.
            if (sinceBeforeNanos < 0) {
                return "tick " + tick.number + " has an event at " + timeNanos + " ns after one at " + beforeNanos
                        + " ns";
            }
            beforeNanos = timeNanos;
            beforeOffsetNanos = offsetNanos;
            tick.recordedInput.add(sender, sequence, timeNanos, kind, code, x, y, offsetNanos, late);
        }
        return count < 0 ? "tick " + tick.number + " has fewer events than it says" : null;
    }

    private @Nullable String decodeLevels(ByteBuffer payload) {
        for (byte number = payload.get(); number != 0; number = payload.get()) {
            InputKind kind = InputKind.ofNumber(number);
            int sender = nextInt(payload, 0);
            int code = nextInt(payload, 0);
            if (kind == null || !isPossible(sender == InputLevels.ALL ? 0 : sender, kind, code)) {
                return unknown("level", sender, kind, code);
            }
            tick.recordedInput.levels().set(sender, kind, code, payload.getFloat());
        }
        return null;
    }

    private boolean isPossible(int sender, InputKind kind, int code) {
        return kind.isPossible(sender, code)
                && (kind != InputKind.SENDER_JOINED || tick.input().senderCount() < MAX_SENDERS);
    }

    /** Reads a number that was written as the difference from an expected one. */
    private long next(ByteBuffer payload, long expected) {
        return expected + LogFormat.getNumber(payload);
    }

    private int nextInt(ByteBuffer payload, int expected) {
        return Math.toIntExact(expected + LogFormat.getNumber(payload));
    }

    /** Returns {@code count}; negative if the payload has fewer bytes than that many elements need. */
    private static int count(int count, ByteBuffer payload, int fewestBytesEach) {
        return count > payload.remaining() / fewestBytesEach ? -1 : count;
    }

    private String unknown(String what, int sender, @Nullable InputKind kind, int code) {
        return "tick " + tick.number + " has an impossible " + what + " of kind " + kind + " with code " + code
                + " of sender " + sender + ", where " + tick.input().senderCount() + " have joined";
    }
}
