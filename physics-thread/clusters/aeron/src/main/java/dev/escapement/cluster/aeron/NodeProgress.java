package dev.escapement.cluster.aeron;

import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.cluster.ElectionState;
import io.aeron.exceptions.AeronException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Detects a node that makes no progress, and the first error that led to it: its thread is stuck within Aeron, or a file of its folder
 * cannot be read, which Aeron retries for ever. A node that waits for others is not stuck; nor is one that reads for long, as long as its
 * position in the state or the log moves. It also detects a log that lacks what this node has run.
 *
 * <p><b>Threads.</b> The node's thread reports its turns, any thread reports errors, one thread calls {@link #stuck}.
 */
final class NodeProgress {

    /** A node is stuck after this time without progress: the disk may be slow, and a large state is restored at once. */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A node is stuck after this many errors without progress: a file that cannot be read is retried at once. */
    static final int MAX_ERRORS = 100;

    /** A node that stays longer in {@link ElectionState#CANVASS} waits for others: one that cannot read its log soon tries again. */
    static final long MAX_CANVASS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** An older error is not the cause of a present failure. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * A node that has found a leader tries for this long to join it, and waits so long for another one if that leader dies meanwhile: so
     * less where nodes are near. At the distance that a {@link Failover} allows, joining takes seven round trips, 5.25 election timeouts.
     */
    static final long MAX_JOIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int JOIN_ELECTION_TIMEOUTS = 20;

    private record NodeError(Throwable error, long nanos) {}

    private final ClusterNode node;
    private final NanoClock clock;
    private final LongSupplier endOfLog;

    // Written by any thread, read soon by the one that calls stuck(); nothing else is ordered by them.
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable NodeError> firstError = new AtomicReference<>();
    private volatile boolean reads = true; // the node first reads its state
    private volatile long logPosition;
    private volatile ElectionState state = ElectionState.INIT;

    // The fields below belong to the thread that calls stuck().
    private long signSeen = -1;
    private long seenNanos;
    private long errorsThen;
    private boolean reported;

    // The node's thread only.
    private boolean joins;
    private boolean everJoined;
    private long enteredNanos;

    /** A node whose log ends at that position, or -1 while it is recorded. */
    NodeProgress(ClusterNode node, NanoClock clock, LongSupplier endOfLog) {
        this.node = node;
        this.clock = clock;
        this.endOfLog = endOfLog;
    }

    /**
     * The node's thread begins a turn: the state of the election, and the position up to which the log was read.
     *
     * @throws IllegalStateException if the log now ends before that, as a leader was elected that lacks it
     */
    void turn(ElectionState now, long position) {
        // At the start a saved state may be newer than a log that lost its end with the power.
        if (now == ElectionState.CANVASS && state != now && everJoined) { // the log is not recorded now
            requireLog(position);
        }
        long nowNanos = clock.nanoTime();
        enteredNanos = state == now ? enteredNanos : nowNanos;
        state = now;
        turns.incrementAndGet();
        switch (now) {
            case CANVASS -> reads &= nowNanos - enteredNanos <= MAX_CANVASS_NANOS;
            case LEADER_REPLAY, FOLLOWER_REPLAY -> reads = true;
            case INIT,
                    NOMINATE,
                    CANDIDATE_BALLOT,
                    FOLLOWER_BALLOT,
                    LEADER_INIT,
                    LEADER_LOG_REPLICATION,
                    FOLLOWER_LOG_REPLICATION -> {} // may also be between two attempts to read
            default -> reads = false;
        }
        joins = switch (now) {
            case FOLLOWER_LOG_REPLICATION, FOLLOWER_CATCHUP_AWAIT, FOLLOWER_LOG_AWAIT -> true;
            case LEADER_LOG_REPLICATION, CLOSED -> false;
            default -> joins;
        };
        everJoined |= now == ElectionState.CLOSED;
        logPosition = position;
    }

    /** Whether this node leads, or follows and has what was committed when it joined: one that catches up may lack that. Any thread. */
    boolean hasJoined() {
        return state == ElectionState.CLOSED;
    }

    /** Whether this node leads or follows. Any thread. */
    boolean knowsLeader() {
        ElectionState now = state;
        // A node that catches up does so for ever if entries come faster than the leader hears how far it is.
        return now == ElectionState.CLOSED || now == ElectionState.FOLLOWER_CATCHUP;
    }

    /**
     * Returns the heartbeat timeout for Aeron's next turn. Aeron reads it within an election only: within a term, its first value says when
     * the leader is dead. In an election Aeron gives up each step after this timeout, and begins another election; but to copy the leader's
     * log takes seven round trips. So it is longer, except in the canvass, where it also says when the leader is dead.
     */
    long patienceNanos() {
        long timeoutNanos = node.failover().heartbeatTimeoutNanos;
        boolean electsIfSilent = state == ElectionState.CANVASS && !joins;
        long joinNanos = Math.min(MAX_JOIN_NANOS, JOIN_ELECTION_TIMEOUTS * node.failover().electionTimeoutNanos);
        return electsIfSilent ? timeoutNanos : Math.max(timeoutNanos, joinNanos);
    }

    /**
     * Aeron counts positions of earlier terms as votes for a commit, and a candidate that was slow counts old votes: so an election may
     * undo what was committed, and then waits for ever for nodes that have run it.
     */
    private void requireLog(long position) {
        long end = endOfLog.getAsLong();
        if (end >= 0 && end < position) {
            throw new IllegalStateException("a leader was elected whose log ends at position " + end + ", and node "
                    + node.number() + " has run what was committed up to position " + position
                    + "; start it again: it then runs what the cluster has, or empty " + node.folder());
        }
    }

    /** An error occurred. Aeron's warnings count, but are not named as the reason why a node ends. */
    void error(Throwable error) {
        errors.incrementAndGet();
        if (!(error instanceof AeronException ofAeron) || ofAeron.category() != AeronException.Category.WARN) {
            NodeError now = new NodeError(error, clock.nanoTime());
            firstError.updateAndGet(known -> firstError().isPresent() ? known : now);
        }
    }

    /** The first recent error, the probable cause of a present failure. */
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
                ? unreadable("the node has ended while it read the folder")
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
