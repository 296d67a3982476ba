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
 * Detects a node that makes no progress, and the first error that led to it: its thread is stuck within Aeron, or a file of its folder
 * cannot be read, which Aeron retries for ever. A node that waits for others is not stuck; nor is one that reads for long, as long as its
 * position in the state or the log moves.
 *
 * <p><b>Threads.</b> The node's thread reports its turns, any thread reports errors, one thread calls {@link #stuck}.
 */
final class NodeProgress {

    /** A node is stuck after this time without progress: the disk may be slow, and a large state is restored at once. */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A node is stuck after this many errors without progress: a file that cannot be read is retried at once. */
    static final int MAX_ERRORS = 100;

    /** Older errors are not the cause of what happens now. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record NodeError(Throwable error, long nanos) {}

    private final ClusterNode node;
    private final NanoClock clock;

    // Written by any thread, read soon by the one that calls stuck(); nothing else is ordered by them.
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable NodeError> firstError = new AtomicReference<>();
    private volatile boolean reads = true; // the node first reads its state
    private volatile long logPosition;

    // The fields below belong to the thread that calls stuck().
    private long signSeen = -1;
    private long seenNanos;
    private long errorsThen;
    private boolean reported;

    NodeProgress(ClusterNode node, NanoClock clock) {
        this.node = node;
        this.clock = clock;
    }

    /** The node's thread begins a turn: the state of the election, and the position up to which the log was read. */
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
                    FOLLOWER_LOG_REPLICATION -> {} // may also be between two attempts to read
            default -> reads = false;
        }
        logPosition = position;
    }

    /** An error occurred. Aeron's warnings count, but are not named as the reason why a node ends. */
    void error(Throwable error) {
        errors.incrementAndGet();
        if (!(error instanceof AeronException ofAeron) || ofAeron.category() != AeronException.Category.WARN) {
            NodeError now = new NodeError(error, clock.nanoTime());
            firstError.updateAndGet(known -> firstError().isPresent() ? known : now);
        }
    }

    /** The first recent error, the probable cause of what happens now. */
    private Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get())
                .filter(known -> clock.nanoTime() - known.nanos < RECENT_NANOS)
                .map(NodeError::error);
    }

    /** The exception of a node that cannot read its folder. */
    IllegalStateException unreadable(String what) {
        Optional<Throwable> first = firstError();
        return new IllegalStateException(
                "node " + node.number() + " cannot continue from what is in " + node.folder() + ": " + what
                        + first.map(error -> ": " + AeronDriver.firstLine(error))
                                .orElse("")
                        + "; if that is damaged, or of an earlier version, empty the folder: the node then copies the"
                        + " state of the leader, and a single node begins anew",
                first.orElse(null));
    }

    /** The reason why the node has ended. */
    Throwable whyEnded() {
        return reads
                ? unreadable("it has ended while it read that")
                : firstError().orElseGet(() -> new IllegalStateException("the node has left the cluster"));
    }

    /**
     * Checks whether the node makes progress. Call it every few milliseconds.
     *
     * @param done how many bytes of a state were read, and ticks run
     * @return the reason if it is stuck, once until it makes progress again; otherwise empty
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
            reported = false;
        }
        long failed = errors.get() - errorsThen;
        if (reported || (nowNanos - seenNanos <= MAX_SILENCE_NANOS && failed <= MAX_ERRORS)) {
            return Optional.empty();
        }
        reported = true;
        return Optional.of(unreadable("it made no progress for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - seenNanos)
                + " ms" + (failed > 0 ? ", with " + failed + " errors" : "")));
    }
}
