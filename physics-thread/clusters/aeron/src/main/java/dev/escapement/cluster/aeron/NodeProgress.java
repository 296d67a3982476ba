package dev.escapement.cluster.aeron;

import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.cluster.ElectionState;
import io.aeron.exceptions.AeronException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that a node will never get on, and the first error of those for which it does not: its thread is stuck within Aeron, or what it has to read of its own folder cannot be read. Aeron
 * tries again for ever, or loops. A node that waits for others is not stuck, and one that reads for long is not, as long as it gets on.
 *
 * <p><b>Threads.</b> The node's thread tells of its turns, any thread of errors, one thread asks.
 */
final class NodeProgress {

    /** The disk may be slow, and a state may be large. */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What cannot be read is tried again at once. */
    static final int MAX_ERRORS = 100;

    /** An error that is older has not led to what happens now. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record NodeError(Throwable error, long nanos) {}

    private final ClusterNode node;
    private final NanoClock clock;

    // Each is written by any thread and read by the one that asks, soon; nothing else is ordered by it.
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable NodeError> firstError = new AtomicReference<>();
    private volatile boolean reads = true; // its state, first of all
    private volatile long logPosition;

    // The rest is that of the thread that asks.
    private long signSeen = -1;
    private long seenNanos;
    private long errorsThen;

    NodeProgress(ClusterNode node, NanoClock clock) {
        this.node = node;
        this.clock = clock;
    }

    /** The node's thread begins a turn, in a state of the election of who leads; the log was read up to a position. */
    void turn(ElectionState state, long position) {
        turns.incrementAndGet();
        switch (state) {
            case LEADER_REPLAY, FOLLOWER_REPLAY -> reads = true;
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

    /** Something has gone wrong. Aeron's warnings count, but are not what a node ends for. */
    void error(Throwable error) {
        errors.incrementAndGet();
        if (!(error instanceof AeronException ofAeron) || ofAeron.category() != AeronException.Category.WARN) {
            NodeError now = new NodeError(error, clock.nanoTime());
            firstError.updateAndGet(known -> firstError().isPresent() ? known : now);
        }
    }

    /** The first error of those that have led to what happens now, as far as is known. */
    private Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get())
                .filter(known -> clock.nanoTime() - known.nanos < RECENT_NANOS)
                .map(NodeError::error);
    }

    /** Why the node cannot read its folder. */
    IllegalStateException unreadable(String what) {
        Optional<Throwable> first = firstError();
        return new IllegalStateException(
                "node " + node.number() + " cannot go on from what is in " + node.folder() + ": " + what
                        + first.map(error -> ": " + AeronDriver.firstLine(error))
                                .orElse("")
                        + "; if that is damaged, or of an earlier version, empty the folder: the node then copies the"
                        + " state of the leader, and a single node begins anew",
                first.orElse(null));
    }

    /** Why the node has ended. */
    Throwable whyEnded() {
        return reads
                ? unreadable("it has ended while it read that")
                : firstError().orElseGet(() -> new IllegalStateException("the node has left the cluster"));
    }

    /**
     * Asks. Now and then.
     *
     * @param done how many ticks were run
     * @return why the node will not get on; empty if it may
     */
    Optional<IllegalStateException> stuck(long done) {
        long nowNanos = clock.nanoTime();
        long sign = logPosition + done + (reads ? 0 : turns.get());
        if (sign != signSeen || !reads) {
            errorsThen = errors.get();
        }
        if (sign != signSeen) {
            signSeen = sign;
            seenNanos = nowNanos;
        }
        long failed = errors.get() - errorsThen;
        if (nowNanos - seenNanos <= MAX_SILENCE_NANOS && failed <= MAX_ERRORS) {
            return Optional.empty();
        }
        return Optional.of(unreadable("it has not got on for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - seenNanos)
                + " ms" + (failed > 0 ? ", with " + failed + " errors" : "")));
    }
}
