package dev.escapement.cluster.aeron;

import dev.escapement.physics.spi.TickSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a node's state after each of {@value #TICKS} ticks in a row.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param lastTick the last of these ticks, a multiple of {@value #TICKS}
 * @param hashes   the hash after each tick
 */
@SuppressWarnings("ArrayRecordComponent") // records of this type are never compared
record TickHashes(long lastTick, long[] hashes) {

    static final int TICKS = 16;

    long hashAfter(long tick) {
        return hashes[(int) (tick - lastTick) + TICKS - 1];
    }

    boolean isSameAs(TickHashes other) {
        return lastTick == other.lastTick && Arrays.equals(hashes, other.hashes);
    }

    TickSource.Divergence differenceFrom(TickHashes other) {
        long tick = lastTick - TICKS + 1;
        while (hashAfter(tick) == other.hashAfter(tick)) {
            tick++;
        }
        return new TickSource.Divergence(tick, other.hashAfter(tick), hashAfter(tick), "", "");
    }

    /**
     * Passes the hashes of this node's ticks from the physics thread to the thread that reads the log. That thread takes hashes at least
     * once for each tick that it hands over. So the physics thread is never {@value #SIZE} ticks ahead of it, and overwrites no hash that
     * was not taken.
     *
     * <p>The physics thread allocates nothing.
     */
    static final class Own {

        private static final int SIZE = 2 * TickRing.MAX_ENTRIES;

        private final long[] ran = new long[SIZE];

        // Release by the physics thread pairs with acquire by the thread that reads the log: it thereby sees the hashes
        // up to this tick.
        private final AtomicLong lastRun = new AtomicLong();

        /** The last tick of the block of {@value #TICKS} that is taken next. Used by the thread that reads the log. */
        private long next = TICKS;

        /** Sets the tick after which the node continues. Called by the thread that reads the log, before it hands over any tick. */
        void beginAfter(long tick) {
            next = (tick + TICKS - 1) / TICKS * TICKS + TICKS;
            lastRun.setRelease(tick);
        }

        void ran(long tick, long stateHash) {
            ran[(int) (tick % SIZE)] = stateHash;
            lastRun.setRelease(tick);
        }

        /** Returns the last tick that ran, to any thread. */
        long lastRun() {
            return lastRun.getAcquire();
        }

        /**
         * Takes the hashes of the next block of {@value #TICKS} ticks; null if not all of these ticks have run. Called by the thread that
         * reads the log.
         */
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
