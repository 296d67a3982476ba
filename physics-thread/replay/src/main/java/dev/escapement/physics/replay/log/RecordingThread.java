package dev.escapement.physics.replay.log;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that takes recorded ticks from the ring and writes them. It parks between polls, because waking it for every tick would cost
 * the physics thread a system call.
 */
final class RecordingThread {

    /** A tick waits in the ring for at most this long; less if the ring is half full before. */
    static final long IDLE_NANOS = 10_000_000;

    /** No thread waits at this ring; a strategy that wakes waiting threads would take a lock at each publish. */
    final RingBuffer<LoggedTick> ring;

    private final EventPoller<LoggedTick> poller;
    private final LogSink sink;
    private final LogHeader header;
    private final long idleNanos;

    /** The failure that ended the recording. Shared with {@link Recording}. */
    private final AtomicReference<@Nullable RecordingFailure> failure;

    private final Thread thread = new Thread(this::run, "escapement-recording");

    // Volatile: the closing thread sets it after all ticks were published. This thread reads it before it polls, and so
    // finds all ticks.
    private volatile boolean ending;

    RecordingThread(
            LogSink sink, LogHeader header, AtomicReference<@Nullable RecordingFailure> failure, long idleNanos) {
        this.sink = sink;
        this.header = header;
        this.failure = failure;
        this.idleNanos = idleNanos;
        ring = RingBuffer.createSingleProducer(LoggedTick::new, Recording.RING_TICKS, new BusySpinWaitStrategy());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** The first published tick that may not be written yet. Any thread. A tick's sequence in the ring is its number minus one. */
    long firstWaitingTick() {
        return poller.getSequence().get() + 2;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /** Ends the thread after it has written all ticks of the ring. False if that takes longer than {@code waitNanos}. */
    boolean end(long waitNanos) {
        ending = true;
        wake();
        return ThreadEnd.await(thread, waitNanos);
    }

    private void run() {
        LogWriter writer = new LogWriter(sink);
        try {
            writer.begin(header);
            writeTicks(writer);
            if (failure.get() == null) {
                writer.end();
            }
        } catch (Throwable full) {
            fail(writer, full);
        }
        try {
            sink.close();
        } catch (Throwable lost) {
            fail(writer, lost);
        }
    }

    /** Writes ticks until the end, including all that were published before it. */
    private void writeTicks(LogWriter writer) throws Exception {
        EventPoller.Handler<LoggedTick> handler = (tick, sequence, endOfBatch) -> {
            try {
                writer.put(tick);
            } finally {
                tick.commands.clear(); // not only when the physics thread needs the place again
            }
            if (endOfBatch) {
                writer.flush();
            }
            return true;
        };
        boolean last;
        do {
            last = ending || failure.get() != null;
            while (poller.poll(handler) == EventPoller.PollState.PROCESSING) {
                // there may be more
            }
            if (!last) {
                LockSupport.parkNanos(idleNanos);
            }
        } while (!last);
    }

    private void fail(LogWriter writer, Throwable thrown) {
        IOException cause = thrown instanceof IOException disk
                ? disk
                : new IOException("the recording's own thread failed: " + FailureReport.why(thrown), thrown);
        failure.compareAndSet(null, new RecordingFailure(writer.writtenTick() + 1, cause));
    }
}
