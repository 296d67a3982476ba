package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandName;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The message that tells a client that a batch is in the log, and which of its commands are refused.
 *
 * <pre>
 *   number of the batch, long | number of the client as a sender: 0 if it is none, int
 *   1 if there was no room for its commands, byte
 *   for each command a bit: 1 if it has no handler
 * </pre>
 *
 * <p>Any thread.
 */
final class Acknowledgement {

    private static final int SENDER_AT = Long.BYTES;
    private static final int NO_ROOM_AT = SENDER_AT + Integer.BYTES;
    private static final int BITS_AT = NO_ROOM_AT + 1;
    static final int BYTES = BITS_AT + Batch.MAX_COMMANDS / Byte.SIZE;

    private Acknowledgement() {}

    static void write(UnsafeBuffer to, Batch batch, int sender, boolean hadRoom, Predicate<CommandName> handled) {
        to.setMemory(0, BYTES, (byte) 0);
        to.putLong(0, batch.number());
        to.putInt(SENDER_AT, sender);
        to.putByte(NO_ROOM_AT, (byte) (hadRoom ? 0 : 1));
        for (int i = 0; i < batch.commands().size(); i++) {
            int at = BITS_AT + i / Byte.SIZE;
            int bit = handled.test(batch.commands().get(i).type()) ? 0 : 1 << i % Byte.SIZE;
            to.putByte(at, (byte) (to.getByte(at) | bit));
        }
    }

    static long batchNumber(DirectBuffer from, int offset) {
        return from.getLong(offset);
    }

    static int sender(DirectBuffer from, int offset) {
        return from.getInt(offset + SENDER_AT);
    }

    /** The reason why a command of the batch is refused; null if it runs. */
    static @Nullable String refusal(DirectBuffer from, int offset, int command, CommandName type) {
        int bits = from.getByte(offset + BITS_AT + command / Byte.SIZE);
        return refusal((bits >> command % Byte.SIZE & 1) == 0, from.getByte(offset + NO_ROOM_AT) == 0, type);
    }

    static @Nullable String refusal(boolean isHandled, boolean hasRoom, CommandName type) {
        if (!isHandled) {
            return "the simulation of the cluster has no handler for commands of type " + type
                    + "; add one with commands().on(...) on all nodes";
        }
        return hasRoom
                ? null
                : "no more commands can wait for the next tick than " + LogClients.MAX_COMMAND_BYTES
                        + " bytes; offer fewer while time stands still";
    }
}
