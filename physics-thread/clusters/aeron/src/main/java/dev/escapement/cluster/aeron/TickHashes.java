package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.spi.Divergence;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a node after {@value #TICKS} ticks in a row, each with the number of bodies.
 *
 * <pre>
 *   last tick, a multiple of {@value #TICKS}, long | hash after each tick, long
 * </pre>
 *
 * <p>Immutable; any thread may use it.
 */
final class TickHashes {

    static final int TICKS = 16;
    static final int BYTES = (1 + TICKS) * Long.BYTES;

    private final byte[] bytes;
    private final ByteBuffer buffer;

    /** Reads hashes in this format. */
    TickHashes(byte[] bytes) {
        this.bytes = bytes;
        buffer = ByteBuffer.wrap(bytes);
    }

    byte[] bytes() {
        return bytes;
    }

    long lastTick() {
        return buffer.getLong(0);
    }

    /** The hash after one of the ticks. */
    long hashAfter(long tick) {
        return buffer.getLong((int) (tick - lastTick() + TICKS) * Long.BYTES);
    }

    /** Whether the states were the same after each of the same ticks. */
    boolean isSameAs(TickHashes other) {
        return Arrays.equals(bytes, other.bytes);
    }

    /** The first difference from others of the same ticks. */
    Divergence differenceFrom(TickHashes other) {
        long tick = lastTick() - TICKS + 1;
        while (hashAfter(tick) == other.hashAfter(tick)) {
            tick++;
        }
        return new Divergence(tick, other.hashAfter(tick), hashAfter(tick), "", Divergence.UNKNOWN);
    }

    /**
     * The hashes of the ticks that this node has run, on their way from the physics thread to that of the log, which takes them at least
     * once for each tick that it hands over. If the ring of {@value #RING_BYTES} bytes is full, hashes are dropped.
     *
     * <p>The physics thread allocates nothing.
     */
    static final class Own {

        private static final int RING_BYTES = 1 << 16;
        private static final int HASHES = 1;

        private final OneToOneRingBuffer written = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
        private final UnsafeBuffer next = new UnsafeBuffer(new byte[BYTES]);

        // Released by the physics thread, acquired by any other: it sees all that was written before.
        private final AtomicLong lastRun = new AtomicLong();

        /** Written by the log's thread before any tick is handed over. */
        private long begunAfter;

        private @Nullable TickHashes taken;
        private final MessageHandler taking = (type, buffer, at, length) -> {
            byte[] copy = new byte[length];
            buffer.getBytes(at, copy);
            taken = new TickHashes(copy);
        };

        /** The node continues after this tick. The log's thread, before any tick is handed over. */
        void beginAfter(long tick) {
            begunAfter = tick;
            lastRun.setRelease(tick);
        }

        /** A tick was run. Physics thread. */
        void ran(long tick, long stateHash, @Nullable BodyStates bodies) {
            long counted = bodies == null ? stateHash : 31 * stateHash + bodies.bodyCount();
            next.putLong((int) ((tick - 1) % TICKS + 1) * Long.BYTES, counted, ByteOrder.BIG_ENDIAN);
            if (tick % TICKS == 0 && tick - TICKS >= begunAfter) {
                next.putLong(0, tick, ByteOrder.BIG_ENDIAN);
                written.write(HASHES, next, 0, BYTES);
            }
            lastRun.setRelease(tick);
        }

        /** The last tick that was run. Any thread. */
        long lastRun() {
            return lastRun.getAcquire();
        }

        /** Takes the next complete hashes; null if there are none. The log's thread. */
        @Nullable
        TickHashes take() {
            taken = null;
            written.read(taking, 1);
            return taken;
        }
    }
}
