package dev.escapement.cluster.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** How the state of a node gets into a recording of Aeron, and out again: its size, then its bytes, in as many messages as it takes. */
final class ClusterSnapshot {

    private static final int MOST_BYTES = 1 << 14;
    private static final int FRAGMENTS = 16;

    private ClusterSnapshot() {}

    static void write(byte[] state, ExclusivePublication to, IdleStrategy idle) {
        UnsafeBuffer size = new UnsafeBuffer(new byte[Long.BYTES]);
        size.putLong(0, state.length);
        offer(size, 0, Long.BYTES, to, idle);
        UnsafeBuffer bytes = new UnsafeBuffer(state);
        for (int at = 0; at < state.length; at += MOST_BYTES) {
            offer(bytes, at, Math.min(MOST_BYTES, state.length - at), to, idle);
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
     * Reads a state.
     *
     * @throws IllegalStateException if it is not whole
     */
    static byte[] read(Image from, IdleStrategy idle) {
        Reading reading = new Reading();
        FragmentHandler assembled = new FragmentAssembler(reading);
        while (!reading.isWhole()) {
            int fragments = from.poll(assembled, FRAGMENTS);
            if (fragments == 0 && (from.isClosed() || from.isEndOfStream())) {
                throw new IllegalStateException("a snapshot ends after " + reading.at + " of "
                        + (reading.state == null ? "an unknown number of" : reading.state.length) + " bytes");
            }
            idle.idle(fragments);
        }
        return reading.state();
    }

    /** A state that arrives. */
    private static final class Reading implements FragmentHandler {
        private byte @Nullable [] state;
        private int at;

        @Override
        public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
            if (state == null) {
                state = new byte[Math.toIntExact(buffer.getLong(offset))];
            } else {
                buffer.getBytes(offset, state, at, length);
                at += length;
            }
        }

        boolean isWhole() {
            return state != null && at == state.length;
        }

        byte[] state() {
            return Objects.requireNonNull(state);
        }
    }
}
