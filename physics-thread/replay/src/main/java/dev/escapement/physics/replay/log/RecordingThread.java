package dev.escapement.physics.replay.log;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Thread that takes recorded ticks from the ring and writes them, in batches of whole ticks. It parks between polls, because a wake-up for
 * every tick would cost the physics thread a system call.
 *
 * <p>If it cannot write all of a batch, the file may end within a record. Readers ignore an incomplete record.
 */
final class RecordingThread {

    /** The longest time that a tick waits in the ring; a ring that is half full wakes the thread earlier. */
    static final long IDLE_NANOS = 10_000_000;

    /** The size of a batch. Larger batches are not faster. */
    private static final int BATCH_BYTES = 1 << 16;

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    /** The ring of recorded ticks. No thread blocks on it: a wait strategy that wakes threads would take a lock at each publish. */
    final RingBuffer<LoggedTick> ring;

    private final EventPoller<LoggedTick> poller;
    private final LogSink sink;
    private final LogHeader header;
    private final TickEncoder encoder;

    /** The first simulation tick that may be missing from the log. */
    private long unwrittenTick = 1;

    private long encodedTick;

    private boolean reportedOfCommands;
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
        encoder = new TickEncoder(header.commandTypes(), 2 * BATCH_BYTES);
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

    /** Returns the first simulation tick that may not be written yet. Any thread, after the last tick. */
    long firstWaitingTick() {
        long next = poller.getSequence().get() + 1;
        long last = ring.getCursor(); // volatile read: pairs with the publish of the slot
        return next <= last ? ring.get(next).number : last < 0 ? 1 : ring.get(last).number + 1;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /** Ends the thread after it has written all ticks of the ring. Returns false if that takes longer than {@code waitNanos}. */
    boolean end(long waitNanos) {
        ending = true;
        wake();
        return ThreadEnd.await(thread, waitNanos);
    }

    private void run() {
        try {
            sink.write(header.encode());
            writeTicks();
            if (failure.get() == null) {
                encoder.putEnd();
                flush();
            }
        } catch (Throwable full) {
            fail(full);
        }
        try {
            sink.close();
        } catch (Throwable lost) {
            fail(lost);
        }
    }

    /** Writes ticks until {@link #end}, including all that were published before. */
    private void writeTicks() throws Exception {
        EventPoller.Handler<LoggedTick> handler = (tick, sequence, endOfBatch) -> {
            try {
                put(tick);
            } finally {
                tick.commands.clear(); // now, not when the physics thread reuses the slot: commands may be large
            }
            if (endOfBatch || encoder.buffer().position() >= BATCH_BYTES) {
                flush();
            }
            return true;
        };
        boolean last;
        do {
            last = ending || failure.get() != null;
            while (poller.poll(handler) == EventPoller.PollState.PROCESSING) {
                // poll again, there may be more ticks
            }
            if (!last) {
                LockSupport.parkNanos(idleNanos);
            }
        } while (!last);
    }

    private void put(LoggedTick tick) throws IOException {
        if (!reportedOfCommands && !tick.local.isEmpty() && !tick.local.equals(TickHook.Stepped.DRAINED)) {
            reportedOfCommands = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Before tick " + tick.number
                            + " a command ran that is not data, so that this recording cannot repeat it, and a"
                            + " replay may differ from there; give commands that change the state a CommandType");
        }
        if (encoder.buffer().position() == 0) {
            unwrittenTick = tick.number;
        }
        encoder.put(tick);
        encodedTick = tick.number;
    }

    private void flush() throws IOException {
        ByteBuffer batch = encoder.buffer().flip();
        try {
            sink.write(batch);
        } finally {
            batch.clear();
        }
        unwrittenTick = encodedTick + 1;
    }

    private void fail(Throwable thrown) {
        IOException cause = thrown instanceof IOException disk
                ? disk
                : new IOException("the recording's own thread failed: " + FailureReport.why(thrown), thrown);
        failure.compareAndSet(null, new RecordingFailure(unwrittenTick, cause));
    }
}
