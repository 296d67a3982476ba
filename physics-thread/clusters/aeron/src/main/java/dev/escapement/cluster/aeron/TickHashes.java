package dev.escapement.cluster.aeron;

import dev.escapement.physics.spi.Divergence;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a node after {@value #TICKS} ticks in a row.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param lastTick a multiple of {@value #TICKS}
 * @param hashes   after each tick
 */
@SuppressWarnings("ArrayRecordComponent") // is not compared
record TickHashes(long lastTick, long[] hashes) {

    static final int TICKS = 16;

    /** The hash after one of the ticks. */
    long hashAfter(long tick) {
        return hashes[(int) (tick - lastTick) + TICKS - 1];
    }

    /** Whether the states were the same after each of the same ticks. */
    boolean isSameAs(TickHashes other) {
        return lastTick == other.lastTick && Arrays.equals(hashes, other.hashes);
    }

    /** The first difference from others of the same ticks. */
    Divergence differenceFrom(TickHashes other) {
        long tick = lastTick - TICKS + 1;
        while (hashAfter(tick) == other.hashAfter(tick)) {
            tick++;
        }
        return new Divergence(tick, other.hashAfter(tick), hashAfter(tick), "", Divergence.UNKNOWN);
    }

    /**
     * Passes the hashes of this node's ticks from the physics thread to the log's thread. The log's thread takes hashes at least once for
     * each tick that it hands over. So the physics thread is never {@value #SIZE} ticks ahead of the log's thread.
     *
     * <p>The physics thread allocates nothing.
     */
    static final class Own {

        private static final int SIZE = 2 * TickRing.MAX_ENTRIES;

        /** By tick, modulo its length. */
        private final long[] ran = new long[SIZE];

        // Released by the physics thread, acquired by any other: it sees the hashes that were written before.
        private final AtomicLong lastRun = new AtomicLong();

        /** The last tick of the next hashes. The log's thread. */
        private long next = TICKS;

        /** The node continues after this tick. The log's thread, before any tick is handed over. */
        void beginAfter(long tick) {
            next = (tick + TICKS - 1) / TICKS * TICKS + TICKS;
            lastRun.setRelease(tick);
        }

        /** A tick was run. Physics thread. */
        void ran(long tick, long stateHash) {
            ran[(int) (tick % SIZE)] = stateHash;
            lastRun.setRelease(tick);
        }

        /** The last tick that was run. Any thread. */
        long lastRun() {
            return lastRun.getAcquire();
        }

        /** Takes the next complete hashes; null if there are none. The log's thread. */
        @Nullable
        TickHashes take() {
            if (lastRun() < next) {
                return null;
            }
            long[] hashes = new long[TICKS];
            for (int i = 0; i < TICKS; i++) {
                hashes[i] = ran[(int) ((next - TICKS + 1 + i) % SIZE)];
            }
            next += TICKS;
            return new TickHashes(next - TICKS, hashes);
        }
    }
}
