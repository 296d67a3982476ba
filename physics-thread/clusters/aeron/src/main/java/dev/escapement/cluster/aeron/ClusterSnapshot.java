package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.logbuffer.FragmentHandler;
import java.io.ByteArrayOutputStream;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the state of a node to a recording of Aeron, in several messages, and reads it. */
final class ClusterSnapshot {

    private static final int MESSAGE_BYTES = 1 << 14;
    private static final int FRAGMENTS = 16;
    static final String DAMAGED =
            "; the folder of the node is damaged: empty it, and the node copies the state of the leader";

    private ClusterSnapshot() {}

    static void write(byte[] state, ExclusivePublication to, IdleStrategy idle) {
        UnsafeBuffer bytes = new UnsafeBuffer(state);
        for (int at = 0; at < state.length; at += MESSAGE_BYTES) {
            long result;
            while ((result = to.offer(bytes, at, Math.min(MESSAGE_BYTES, state.length - at))) < 0) {
                if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                    throw new IllegalStateException("a snapshot cannot be written: " + Publication.errorString(result));
                }
                idle.idle();
            }
        }
    }

    /**
     * Reads the state from which the cluster continues with its log.
     *
     * @throws IllegalStateException if it is incomplete or damaged
     */
    static StateBuffer read(Image from, IdleStrategy idle) {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        FragmentHandler message = new FragmentAssembler((buffer, offset, length, header) -> {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            state.writeBytes(bytes);
        });
        while (!from.isEndOfStream() && !from.isClosed()) {
            idle.idle(from.poll(message, FRAGMENTS));
        }
        try {
            return new StateBuffer(state.toByteArray()); // which has a checksum of all of it
        } catch (RestoreRefusedException damaged) {
            throw new IllegalStateException(damaged.getMessage() + DAMAGED, damaged);
        }
    }
}
