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
 * Detects a node that makes no progress, and the first error that led to that. A node is stuck if its thread does not return from Aeron, or
 * if Aeron retries for ever to read a file. It is not stuck while it waits for others, or while its position in the state or the log moves.
 * Also detects a log that lacks ticks that this node has run.
 *
 * <p><b>Threads.</b> The node's thread reports the passes of its loop, any thread reports errors, one thread calls {@link #stuck}.
 */
final class NodeProgress {

    /**
     * The time without progress after which a node is stuck. It is long, because the disk may be slow, and a large state is restored in one
     * pass of the loop.
     */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The same time for a node that has read a damaged entry. Aeron stops at some of them without more errors, and at others retries. */
    static final long MAX_DAMAGED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * A node with more errors than this without progress is stuck. It may have so many within a moment, because Aeron retries an unreadable
     * file at once.
     */
    static final int MAX_ERRORS = 100;

    /**
     * The time in {@link ElectionState#CANVASS} after which a node counts as waiting for others. A node that cannot read its log leaves
     * that state earlier, to try again.
     */
    static final long MAX_CANVASS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The age up to which an error counts as the cause of a present failure. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * The longest time that a node tries to join a leader. If that leader dies meanwhile, the node waits as long for another one, so the
     * time is shorter for a shorter {@link Failover}. Joining takes up to seven round trips. A {@link Failover} allows round trips of 3/4
     * of its election timeout, so that is 5.25 election timeouts.
     */
    static final long MAX_JOIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int JOIN_ELECTION_TIMEOUTS = 20;

    private record NodeError(Throwable error, long nanos) {}

    private final ClusterNode node;
    private final NanoClock clock;
    private final LongSupplier endOfLog;

    // Any thread writes the fields below, and the thread that calls stuck() sees them soon; nothing else is ordered by
    // them.
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<@Nullable NodeError> firstError = new AtomicReference<>();
    private volatile boolean isDamaged; // never false again: a damaged entry stays so, and counts only without progress
    private volatile boolean reads = true; // the node first reads its state
    private volatile long logPosition;
    private volatile ElectionState state = ElectionState.INIT;

    // The fields below belong to the thread that calls stuck().
    private long signSeen = -1;
    private long seenNanos;
    private long errorsThen;
    private boolean reported;

    // The fields below belong to the node's thread.
    private boolean joins;
    private boolean everJoined;
    private long enteredNanos;

    /** Creates the progress of a node. {@code endOfLog} returns the end position of its log, or -1 while it is recorded. */
    NodeProgress(ClusterNode node, NanoClock clock, LongSupplier endOfLog) {
        this.node = node;
        this.clock = clock;
        this.endOfLog = endOfLog;
    }

    /**
     * Notes a pass of the node's loop, with the state of the election, and the position up to which the log was read.
     *
     * @throws IllegalStateException if the log now ends before {@code position}, because the nodes elected a leader whose log is shorter
     */
    void turn(ElectionState now, long position) {
        // Only after the first join: before it, a saved state may be newer than a log whose end was lost in a power
        // failure.
        // The log is not recorded now, so it has an end.
        if (now == ElectionState.CANVASS && state != now && everJoined) {
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
                    FOLLOWER_LOG_REPLICATION -> {} // reads stays: the node may be between two attempts to read
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

    /**
     * Whether this node leads, or follows with all entries that were committed when it joined. A node that catches up may lack some. Any
     * thread may call it.
     */
    boolean hasJoined() {
        return state == ElectionState.CLOSED;
    }

    /** Whether this node leads or follows. Any thread may call it. */
    boolean knowsLeader() {
        ElectionState now = state;
        // FOLLOWER_CATCHUP counts: a node stays in it for ever if entries come faster than the leader learns its
        // position.
        return now == ElectionState.CLOSED || now == ElectionState.FOLLOWER_CATCHUP;
    }

    /**
     * Returns the heartbeat timeout for Aeron's next pass. Aeron reads it again during elections only. Between elections, the timeout of
     * the launch decides when the leader is dead. In an election Aeron gives up each step after this timeout, and begins another election,
     * but copying the leader's log takes seven round trips. So the timeout is longer in an election, except in the canvass, where it also
     * decides when the leader is dead.
     */
    long patienceNanos() {
        long timeoutNanos = node.failover().heartbeatTimeoutNanos;
        boolean electsIfSilent = state == ElectionState.CANVASS && !joins;
        long joinNanos = Math.min(MAX_JOIN_NANOS, JOIN_ELECTION_TIMEOUTS * node.failover().electionTimeoutNanos);
        return electsIfSilent ? timeoutNanos : Math.max(timeoutNanos, joinNanos);
    }

    /**
     * Throws if the log ends before an entry that this node has run. Aeron counts positions of earlier terms as votes for a commit, and a
     * slow candidate counts old votes. So an election may undo committed entries. Aeron would then wait for ever for the nodes that have
     * run them.
     */
    private void requireLog(long position) {
        long end = endOfLog.getAsLong();
        if (end >= 0 && end < position) {
            throw new IllegalStateException("a leader was elected whose log ends at position " + end + ", and node "
                    + node.number() + " has run what was committed up to position " + position
                    + "; start it again: it then runs what the cluster has, or empty " + node.folder());
        }
    }

    /** Notes an error. Aeron's warnings count towards {@link #MAX_ERRORS}, but are never reported as the reason why a node ends. */
    void error(Throwable error) {
        errors.incrementAndGet();
        if (String.valueOf(error.getMessage()).contains("checksum mismatch")) { // Aeron has no type for it
            isDamaged = true;
        }
        if (!(error instanceof AeronException ofAeron) || ofAeron.category() != AeronException.Category.WARN) {
            NodeError now = new NodeError(error, clock.nanoTime());
            firstError.updateAndGet(known -> firstError().isPresent() ? known : now);
        }
    }

    /** Returns the first recent error, the probable cause of a present failure. */
    private Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get())
                .filter(known -> clock.nanoTime() - known.nanos < RECENT_NANOS)
                .map(NodeError::error);
    }

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

    Throwable whyEnded() {
        return reads
                ? unreadable("the node has ended while it read the folder")
                : firstError().orElseGet(() -> new IllegalStateException("the node has left the cluster"));
    }

    /**
     * Checks whether the node makes progress. Call it every few milliseconds.
     *
     * @param done the bytes read of a state, plus the ticks run
     * @return the reason if the node is stuck, once until it makes progress again; otherwise empty
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
        long maxNanos = failed > 0 && isDamaged ? MAX_DAMAGED_NANOS : MAX_SILENCE_NANOS;
        if (reported || (nowNanos - seenNanos <= maxNanos && failed <= MAX_ERRORS)) {
            return Optional.empty();
        }
        reported = true;
        return Optional.of(unreadable("it made no progress for " + TimeUnit.NANOSECONDS.toMillis(nowNanos - seenNanos)
                + " ms" + (failed > 0 ? ", with " + failed + " errors" : "")));
    }
}
