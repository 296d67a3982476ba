package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state of a node to a recording of Aeron, and reads it: its size and position in the log, then its bytes in several messages.
 */
final class ClusterSnapshot {

    private static final int MAX_BYTES = 1 << 14;
    private static final int FRAGMENTS = 16;
    private static final String DAMAGED =
            "; the folder of the node is damaged: empty it, and the node copies the state of the leader";

    private ClusterSnapshot() {}

    /** Writes a state with the current position of the log. */
    static void write(byte[] state, ExclusivePublication to, Cluster cluster) {
        IdleStrategy idle = cluster.idleStrategy();
        UnsafeBuffer head = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        head.putLong(0, state.length);
        head.putLong(Long.BYTES, cluster.logPosition());
        offer(head, 0, head.capacity(), to, idle);
        UnsafeBuffer bytes = new UnsafeBuffer(state);
        for (int at = 0; at < state.length; at += MAX_BYTES) {
            offer(bytes, at, Math.min(MAX_BYTES, state.length - at), to, idle);
        }
    }

    private static void offer(UnsafeBuffer bytes, int at, int length, ExclusivePublication to, IdleStrategy idle) {
        long result;
        while ((result = to.offer(bytes, at, length)) < 0) {
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("a snapshot cannot be written: " + Publication.errorString(result));
            }
            idle.idle();
        }
    }

    /**
     * Reads the state from which the cluster continues with its log.
     *
     * @param progress gets how many bytes were read so far
     * @throws IllegalStateException if it is incomplete, damaged, or of another position of the log
     */
    static StateBuffer read(Image from, Cluster cluster, LongConsumer progress) {
        IdleStrategy idle = cluster.idleStrategy();
        Reading reading = new Reading();
        FragmentHandler assembled = new FragmentAssembler(reading);
        while (!reading.isWhole()) {
            int fragments = from.poll(assembled, FRAGMENTS);
            if (fragments == 0 && (from.isClosed() || from.isEndOfStream())) {
                throw new IllegalStateException("a snapshot ends after " + reading.at + " of "
                        + (reading.state == null ? "an unknown number of" : reading.state.length) + " bytes"
                        + DAMAGED);
            }
            progress.accept(reading.at);
            idle.idle(fragments);
        }
        if (reading.logPosition != cluster.logPosition()) {
            throw new IllegalStateException("the state that was saved at position " + reading.logPosition
                    + " of the log is noted for position " + cluster.logPosition() + DAMAGED);
        }
        try {
            return new StateBuffer(Objects.requireNonNull(reading.state));
        } catch (RestoreRefusedException damaged) {
            throw new IllegalStateException(damaged.getMessage() + DAMAGED, damaged);
        }
    }

    /** A state of which messages are still arriving. */
    private static final class Reading implements FragmentHandler {
        private byte @Nullable [] state;
        private long logPosition;
        private int at;

        @Override
        public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
            if (state == null) {
                state = new byte[Math.toIntExact(buffer.getLong(offset))];
                logPosition = buffer.getLong(offset + Long.BYTES);
            } else {
                buffer.getBytes(offset, state, at, length);
                at += length;
            }
        }

        boolean isWhole() {
            return state != null && at == state.length;
        }
    }
}
