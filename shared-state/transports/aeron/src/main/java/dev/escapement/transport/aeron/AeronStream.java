package dev.escapement.transport.aeron;

import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The base class of senders and receivers. All streams of a driver share a daemon thread, the stream thread. The first error ends a stream,
 * and is kept ({@link #failure()}).
 *
 * <p>Any thread may call any method.
 *
 * @see AeronSender
 * @see AeronReceiver
 */
public abstract sealed class AeronStream implements AutoCloseable permits AeronSender, AeronReceiver {

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    final NanoClock clock;
    private final StreamThread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final FirstFailure failure = new FirstFailure();

    // Written by the stream thread; the counts order nothing.
    private final AtomicLong packets = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    // Volatile: written by the thread that closes, read by the stream thread before each slice.
    private volatile boolean closing;

    AeronStream(String name, StreamThread thread, NanoClock clock) {
        this.name = name;
        this.clock = clock;
        this.thread = thread;
    }

    final void start() {
        thread.add(this);
    }

    /** Performs all due work, or ends the stream. Returns the nanoseconds until the next work. Stream thread. */
    final long run() {
        try {
            if (!closing) {
                return turn() - clock.nanoTime();
            }
        } catch (Throwable e) { // Agrona also throws checked exceptions
            failed(e);
        }
        try {
            end();
        } catch (Throwable e) {
            failed(e);
        } finally {
            ended.countDown();
        }
        return 0;
    }

    /** Ends the stream because of an error. Throws nothing, because other streams have the same thread. */
    private void failed(Throwable cause) {
        failure.add(cause);
        try {
            LOG.log(System.Logger.Level.ERROR, this + " has ended, because of the error below", cause);
        } catch (Throwable e) {
            failure.add(e);
        }
    }

    final boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Performs all due work. Returns when to call this again. */
    abstract long turn();

    /** Ends the stream. Stream thread. */
    abstract void end();

    /** Counts a packet that was sent or received. Stream thread. */
    final void count(int length) {
        packets.setOpaque(packets.getPlain() + 1);
        bytes.setOpaque(bytes.getPlain() + length);
    }

    /** {@return how many packets were sent or received since the start} */
    public final long packets() {
        return packets.getOpaque();
    }

    /** {@return how many bytes the packets had since the start, without Aeron's headers} */
    public final long bytes() {
        return bytes.getOpaque();
    }

    /**
     * {@return the counts of the {@linkplain AeronDriver#counts driver} by name, the caller's own copy} A world's statistics can include
     * them: {@code physics.stats().addCounts(stream::counts)}. A sender adds {@code cut-ticks}: how often Aeron had no room, so that the
     * rest of a tick was not sent. A receiver adds {@code images}: from how many senders it receives now; and {@code clamped-bodies}: how
     * many bodies of the newest tick are so far from the origin that the format moves them to the edge of its range.
     */
    public abstract Map<String, Long> counts();

    /** {@return the first error, because of which the stream ended by itself; empty if there was none} */
    public final Optional<Throwable> failure() {
        return failure.cause();
    }

    /** Ends the stream. Idempotent. Waits at most 10 s; an interrupt does not end the wait, and stays pending. */
    @Override
    public final void close() {
        closing = true;
        thread.wake();
        if (!thread.isCurrent() && !ThreadEnd.await(ended, CLOSE_NANOS)) {
            LOG.log(System.Logger.Level.WARNING, this + " does not end: it waits for snapshots");
        }
    }

    @Override
    public final String toString() {
        return name;
    }
}
