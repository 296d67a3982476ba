package dev.escapement.transport.aeron;

import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.ReservedValueSupplier;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * What senders, receivers and replays have in common: a daemon thread. The first error ends it, and is kept ({@link #failure()}).
 *
 * <p>Any thread may call any method.
 *
 * @see AeronSender
 * @see AeronReceiver
 * @see AeronReplay
 */
public abstract sealed class AeronStream implements AutoCloseable permits AeronSender, AeronReceiver, AeronReplay {

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    final NanoClock clock;
    private final Thread thread;
    private final FirstFailure failure = new FirstFailure();

    // Written by the thread; nothing is ordered by a count.
    private final AtomicLong packets = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    // Volatile: set by who closes, read by the thread before each turn.
    private volatile boolean closing;

    AeronStream(String threadName, NanoClock clock) {
        this.clock = clock;
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    final void start() {
        thread.start();
    }

    private void run() {
        runAndKeepFailure(() -> {
            while (!closing) {
                parkUntil(turn());
            }
        });
        runAndKeepFailure(this::end);
    }

    private void runAndKeepFailure(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failure.add(e);
            LOG.log(System.Logger.Level.ERROR, thread.getName() + " has ended, because of the error below", e);
        }
    }

    /** Offers a message, if there is room. Returns the position after it, or negative. */
    static long offer(
            ExclusivePublication to, DirectBuffer message, int offset, int length, ReservedValueSupplier sentNanos) {
        long position;
        do {
            position = to.offer(message, offset, length, sentNanos);
        } while (position == Publication.ADMIN_ACTION); // a new term begins; the next offer goes into it
        return position;
    }

    /** Does what is due. Returns when to call this again. */
    abstract long turn();

    /** The thread ends. */
    abstract void end();

    final void parkUntil(long nanos) {
        long waitNanos = nanos - clock.nanoTime();
        if (waitNanos > 0 && !closing) {
            LockSupport.parkNanos(waitNanos);
        }
    }

    /** The thread: a packet was sent, or came. */
    final void count(int length) {
        packets.setOpaque(packets.getPlain() + 1);
        bytes.setOpaque(bytes.getPlain() + length);
    }

    /**
     * How many packets were sent, or came.
     *
     * @return packets since the start
     */
    public final long packets() {
        return packets.getOpaque();
    }

    /**
     * How many bytes they had.
     *
     * @return bytes since the start, without what Aeron adds
     */
    public final long bytes() {
        return bytes.getOpaque();
    }

    final boolean isClosing() {
        return closing;
    }

    /**
     * Why it ended by itself.
     *
     * @return the first error; empty if there was none
     */
    public final Optional<Throwable> failure() {
        return failure.cause();
    }

    /** Ends the thread, and what belongs to it. Idempotent. */
    @Override
    public final void close() {
        closing = true;
        LockSupport.unpark(thread);
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    thread.getName() + " does not end: it waits for snapshots, or for a disk");
        }
    }
}
