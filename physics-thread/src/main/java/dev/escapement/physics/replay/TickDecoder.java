package dev.escapement.physics.replay;

import dev.escapement.state.input.InputKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the ticks that {@link TickEncoder} has encoded. Checks every number, because a checksum does not prove that the encoder has
 * written the file.
 *
 * <p>One thread. Allocates only when a tick is larger than any before, and no more than its record's bytes justify.
 */
final class TickDecoder {

    private final LoggedTick tick;

    TickDecoder(int components) {
        tick = new LoggedTick(new BodyDigests(components));
    }

    LoggedTick tick() {
        return tick;
    }

    /** Decodes the next tick from a payload. Returns a description of the error, or null. */
    @Nullable
    String decode(ByteBuffer payload) {
        if (payload.remaining() < TickEncoder.FIXED_BYTES) {
            return "a tick cannot have " + payload.remaining() + " bytes";
        }
        long number = payload.getLong();
        if (number != tick.number + 1) {
            return "tick " + number + " cannot follow tick " + tick.number;
        }
        long lengthNanos = payload.getLong();
        if (lengthNanos <= 0) {
            return "tick " + number + " cannot take " + lengthNanos + " ns";
        }
        double budgetUsed = payload.getDouble();
        if (!Double.isFinite(budgetUsed)) {
            return "tick " + number + " cannot say that " + budgetUsed + " of the budget was used";
        }
        tick.number = number;
        tick.input.begin(lengthNanos);
        tick.budgetUsed = budgetUsed;
        tick.stateHash = payload.getLong();
        byte flags = payload.get();
        tick.eventsWanted = (flags & TickEncoder.EVENTS_WANTED) != 0;
        tick.commandsRan = (flags & TickEncoder.COMMANDS_RAN) != 0;
        if ((flags & ~(TickEncoder.EVENTS_WANTED | TickEncoder.COMMANDS_RAN)) != 0) {
            return "tick " + number + " has unknown flags " + flags;
        }
        String why = decodeEvents(payload);
        if (why == null) {
            why = decodeLevels(payload);
        }
        if (why == null && tick.digests.components > 0) {
            why = decodeBodies(payload);
        }
        return why != null || !payload.hasRemaining()
                ? why
                : "tick " + number + " has " + payload.remaining() + " bytes too many";
    }

    private @Nullable String decodeEvents(ByteBuffer payload) {
        int count = count(payload, TickEncoder.EVENT_BYTES);
        long beforeNanos = 0;
        long beforeOffsetNanos = 0;
        for (int i = 0; i < count; i++) {
            long sequence = payload.getLong();
            long timeNanos = payload.getLong();
            long offsetNanos = payload.getLong();
            byte late = payload.get();
            InputKind kind = KindCodes.kindOf(payload.get());
            int code = payload.getInt();
            float x = payload.getFloat();
            float y = payload.getFloat();
            if (kind == null || !kind.hasCode(code)) {
                return unknown("event", kind, code);
            }
            long mostOffsetNanos = late == 0 ? tick.input().lengthNanos() : 0;
            if ((late & ~1) != 0 || offsetNanos < beforeOffsetNanos || offsetNanos > mostOffsetNanos) {
                return "tick " + tick.number + " has no place for an event " + offsetNanos + " ns into it, after one "
                        + beforeOffsetNanos + " ns into it, late " + late;
            }
            // Compared by time only: in the recording of a replay, events may have got equal times.
            if (i > 0 && timeNanos - beforeNanos < 0) {
                return "tick " + tick.number + " has an event at " + timeNanos + " ns after one at " + beforeNanos
                        + " ns";
            }
            beforeNanos = timeNanos;
            beforeOffsetNanos = offsetNanos;
            tick.input.add(sequence, timeNanos, kind, code, x, y, offsetNanos, late == 1);
        }
        return count < 0 ? "tick " + tick.number + " has fewer events than it says" : null;
    }

    private @Nullable String decodeLevels(ByteBuffer payload) {
        int count = count(payload, TickEncoder.LEVEL_BYTES);
        for (int i = 0; i < count; i++) {
            InputKind kind = KindCodes.kindOf(payload.get());
            int code = payload.getInt();
            if (kind == null || !kind.hasCode(code)) {
                return unknown("level", kind, code);
            }
            tick.input.level(kind, code, payload.getFloat());
        }
        return count < 0 ? "tick " + tick.number + " has fewer levels than it says" : null;
    }

    private @Nullable String decodeBodies(ByteBuffer payload) {
        BodyDigests digests = tick.digests;
        int before = digests.bodies();
        int bodies = payload.remaining() < Integer.BYTES ? -1 : payload.getInt();
        int changed = count(payload, Integer.BYTES + Short.BYTES * digests.components);
        // Each new body must be among the changed ones, so that the record has bytes for all that is allocated.
        if (bodies < 0 || changed < 0 || changed > bodies || bodies - before > changed) {
            return "tick " + tick.number + " cannot have " + bodies + " bodies, " + changed + " of them changed";
        }
        digests.resize(bodies);
        int firstNew = changed - Math.max(0, bodies - before);
        int next = 0;
        for (int i = 0; i < changed; i++) {
            int body = payload.getInt();
            if (body < next || body >= bodies || (i == firstNew && body != before)) {
                return "tick " + tick.number + " has no body " + body + " as the next that changed: " + before
                        + " bodies were there before, and " + bodies + " are";
            }
            next = body + 1;
            for (int component = 0; component < digests.components; component++) {
                digests.set(body, component, payload.getShort());
            }
        }
        return null;
    }

    /** Reads a count of elements; negative if there are fewer bytes than they need. */
    private static int count(ByteBuffer payload, int bytesEach) {
        if (payload.remaining() < Integer.BYTES) {
            return -1;
        }
        int count = payload.getInt();
        return count > payload.remaining() / bytesEach ? -1 : count;
    }

    private String unknown(String what, @Nullable InputKind kind, int code) {
        return "tick " + tick.number + " has what cannot be: " + what + " of kind " + kind + " with code " + code;
    }
}
