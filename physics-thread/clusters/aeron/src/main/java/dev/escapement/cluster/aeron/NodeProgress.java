package dev.escapement.cluster.aeron;

import io.aeron.cluster.ElectionState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Finds out that a node will never get on: its thread is stuck within Aeron, or what it has to read of its own folder cannot be read. Aeron
 * tries again for ever, or loops. A node that waits for others is not stuck, and one that reads for long is not, as long as it gets on.
 *
 * <p><b>Threads.</b> The node's thread tells of its turns, any thread of work and errors, one thread asks.
 */
final class NodeProgress {

    /** The disk may be slow, and a state may be large. */
    static final long MOST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What cannot be read is tried again at once. */
    static final int MOST_ERRORS = 100;

    private final NanoClock clock;

    // Each is written by any thread and read by the one that asks, soon; nothing else is ordered by it.
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong work = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private volatile boolean reads = true; // its state, first of all
    private volatile boolean hasStarted;
    private volatile long logPosition;
    private volatile String error = "";

    // The rest is that of the thread that asks.
    private long turnsSeen = -1;
    private long turnedNanos;
    private long workSeen = -1;
    private long workedNanos;
    private long errorsThen;

    NodeProgress(NanoClock clock) {
        this.clock = clock;
    }

    /** An idle strategy of the thread that reads a state when the node starts: it is told what was read. */
    IdleStrategy reading(IdleStrategy sleep) {
        return new IdleStrategy() {
            @Override
            public void idle(int workCount) {
                if (workCount > 0 && !hasStarted) {
                    work.incrementAndGet();
                }
                sleep.idle(workCount);
            }

            @Override
            public void idle() {
                sleep.idle();
            }

            @Override
            public void reset() {
                sleep.reset();
            }
        };
    }

    /** The node's thread begins a turn, in a state of the election of who leads; the log was read up to a position. */
    void turn(ElectionState state, long position) {
        hasStarted = true;
        turns.incrementAndGet();
        switch (state) {
            case LEADER_REPLAY, FOLLOWER_REPLAY -> {
                error = reads ? error : "";
                reads = true;
            }
            case INIT,
                    CANVASS,
                    NOMINATE,
                    CANDIDATE_BALLOT,
                    FOLLOWER_BALLOT,
                    LEADER_INIT,
                    LEADER_LOG_REPLICATION,
                    FOLLOWER_LOG_REPLICATION -> {} // also between two times that it tries to read
            default -> reads = false;
        }
        logPosition = position;
    }

    /** While something is read, the first error is told, and otherwise the last one. */
    void error(String line) {
        error = reads && !error.isEmpty() ? error : line;
        errors.incrementAndGet();
    }

    /** Whether the node reads its state, or its log. */
    boolean reads() {
        return reads;
    }

    /** What went wrong, to be added to a sentence. */
    String lastError() {
        String line = error;
        return line.isEmpty() ? "" : ": " + line;
    }

    /**
     * Asks. Now and then.
     *
     * @param lastTick the last tick that was run
     * @return why the node will not get on; empty if it may
     */
    Optional<String> stuck(long lastTick) {
        long nowNanos = clock.nanoTime();
        long worked = work.get() + logPosition + lastTick;
        long turned = turns.get() + worked; // a state may be read within a turn
        if (turned != turnsSeen) {
            turnsSeen = turned;
            turnedNanos = nowNanos;
        }
        if (worked != workSeen || !reads) {
            workSeen = worked;
            workedNanos = nowNanos;
            errorsThen = errors.get();
        }
        long failed = errors.get() - errorsThen;
        if (nowNanos - turnedNanos <= MOST_SILENCE_NANOS
                && nowNanos - workedNanos <= MOST_SILENCE_NANOS
                && failed <= MOST_ERRORS) {
            return Optional.empty();
        }
        return Optional.of("the node has not got on for "
                + TimeUnit.NANOSECONDS.toMillis(nowNanos - Math.min(turnedNanos, workedNanos)) + " ms"
                + (failed > 0 ? ", with " + failed + " errors" + lastError() : ""));
    }
}
