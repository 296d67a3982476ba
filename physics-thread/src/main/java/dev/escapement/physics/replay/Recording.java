package dev.escapement.physics.replay;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.state.input.InputFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run down while it goes on: the input of every tick, and the hash of the state it led to. Another thread writes, from an LMAX
 * Disruptor ring of preallocated ticks.
 *
 * <pre>{@code
 * try (Recording recording = Recording.create(Path.of("run.esclog"), new RunDescription("spring", "1", "100", 4, rate));
 *         PhysicsService physics = PhysicsService.builder(new SpringSimulation(100)).rate(rate).record(recording).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread never waits for the disk. If the disk is full, or so slow that {@value #RING_TICKS} ticks wait for it, the
 *       recording ends there, {@link #failure()} says so, and the run goes on.</li>
 *   <li>Whatever happens, the file is a log up to its last tick that was written whole.</li>
 *   <li>Bounded memory: {@value #RING_TICKS} ticks. Nothing is allocated on the physics thread once as many ticks have waited, and
 *       have been as large, as they ever do.</li>
 * </ol>
 *
 * <p><b>Threads.</b> The service calls {@link #begin} and {@link #tick}. Any thread may ask for the failure. Close it after the service:
 * what ticks later is not recorded.
 *
 * @see InputLog
 */
public final class Recording implements AutoCloseable {

    /** How many ticks wait for the disk at most. */
    public static final int RING_TICKS = 256;

    private static final long LOOK_NANOS = 100_000;
    static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RunDescription run;
    private final LogSink sink;
    private final long closeNanos;
    private final long idleNanos;

    // Volatile accesses: the first to fail says why; the physics thread sees it soon, and nothing else is ordered by
    // it.
    private final AtomicReference<@Nullable RecordingFailure> failure = new AtomicReference<>();

    /** Null until the service begins. Volatile: whoever sees it sees what it was made of. */
    private volatile @Nullable RecordingThread thread;

    private @Nullable RingBuffer<LoggedTick> ring;
    private @Nullable DigestPool pool;
    private long lastTick;

    // Volatile: the physics thread sees it soon; no tick after it is missed, nothing else is ordered by it.
    private volatile boolean closed;

    /** For tests, which replace the disk. */
    Recording(LogSink sink, RunDescription run, long closeNanos) {
        this(sink, run, closeNanos, RecordingThread.IDLE_NANOS);
    }

    /** For tests, which wait longer, or shorter. */
    Recording(LogSink sink, RunDescription run, long closeNanos, long idleNanos) {
        this.sink = sink;
        this.run = run;
        this.closeNanos = closeNanos;
        this.idleNanos = idleNanos;
    }

    /**
     * Creates a log, in a file that must not exist.
     *
     * @param file where
     * @param run  what has to be known to run it again
     * @return the recording, for one service or driver
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file: no log is ever overwritten
     * @throws IOException                              if the file cannot be created
     */
    public static Recording create(Path file, RunDescription run) throws IOException {
        Objects.requireNonNull(run, "run must not be null; say what has to be known to run it again");
        return new Recording(new FileSink(file), run, CLOSE_NANOS);
    }

    /**
     * Which run this is.
     *
     * @return what it was described as
     */
    public RunDescription run() {
        return run;
    }

    /**
     * Begins, once, before the first tick.
     *
     * @param components what is known of each body's state, empty if nothing is
     * @throws IllegalStateException if it has begun, or was closed
     * @see BodyStates#stateComponents()
     */
    public synchronized void begin(List<String> components) {
        if (thread != null || closed) {
            throw new IllegalStateException("a recording is for one run, but this one of " + run
                    + (closed ? " was closed" : " has begun") + "; create another");
        }
        LogHeader header = new LogHeader(run, components);
        // Nobody waits at this ring; a strategy that wakes who does would take a lock at each publish.
        pool = new DigestPool(header.components().size(), RING_TICKS);
        RingBuffer<LoggedTick> ticks =
                RingBuffer.createSingleProducer(pool::newTick, RING_TICKS, new BusySpinWaitStrategy());
        ring = ticks;
        RecordingThread writing = new RecordingThread(ticks, pool, sink, header, failure, idleNanos);
        thread = writing;
        writing.start();
    }

    /**
     * Records a tick, if the recording has not ended and was not closed. Physics thread, after the step. Never waits.
     *
     * @param number       which tick, 1 for the first
     * @param budgetUsed   what the tick said of the one before
     * @param input        the tick's input
     * @param eventsWanted whether the tick said that events are wanted
     * @param commandsRan  whether commands ran since the tick before
     * @param stateHash    the hash of the state after the step
     * @param bodies       where the state of bodies is read, null if it cannot be
     * @throws IllegalStateException if it has not begun, or if the tick does not follow the one before
     */
    public void tick(
            long number,
            double budgetUsed,
            InputFrame input,
            boolean eventsWanted,
            boolean commandsRan,
            long stateHash,
            @Nullable BodyStates bodies) {
        if (failure.get() != null || closed) {
            return;
        }
        if (number != lastTick + 1) {
            throw new IllegalStateException("a log has every tick from 1 on, but tick " + number + " was to be number "
                    + (lastTick + 1) + "; record from the start");
        }
        RingBuffer<LoggedTick> ticks = ring();
        if (!ticks.hasAvailableCapacity(1)) {
            fail(number, new IOException("all " + RING_TICKS + " ticks wait for the disk, which is too slow"));
            return;
        }
        // Claimed only when it is filled: if the simulation throws, the tick has never been there. This is the only
        // producer.
        LoggedTick slot = ticks.get(ticks.getCursor() + 1);
        slot.number = number;
        slot.budgetUsed = budgetUsed;
        slot.input.copyFrom(input);
        slot.eventsWanted = eventsWanted;
        slot.commandsRan = commandsRan;
        slot.stateHash = stateHash;
        if (bodies != null) {
            Objects.requireNonNull(pool).lend(slot).read(bodies);
        }
        ticks.publish(claim(ticks));
        lastTick = number;
        // Ticks that catch up come faster than the thread looks; at an even pace so many never wait.
        if (waitingTicks() >= RING_TICKS / 2) {
            Objects.requireNonNull(thread).wake();
        }
    }

    /** How many ticks wait for the disk. Physics thread. */
    long waitingTicks() {
        return RING_TICKS - ring().remainingCapacity();
    }

    private static long claim(RingBuffer<LoggedTick> ticks) {
        try {
            return ticks.tryNext(); // and not next, which would wait
        } catch (InsufficientCapacityException impossible) {
            throw new IllegalStateException("a ring with room for a tick has none", impossible);
        }
    }

    /**
     * Waits until the disk has room for another tick, or the recording has ended. For who runs ticks as fast as they go, and would else
     * outrun every disk; never for a physics thread.
     */
    public void awaitRoom() {
        RecordingThread writing = Objects.requireNonNull(thread, "a recording has to begin first");
        while (!ring().hasAvailableCapacity(1) && failure.get() == null && writing.isAlive()) {
            writing.wake();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /**
     * Ends the recording with the tick before. Any thread.
     *
     * @param tick  the first tick that is not recorded
     * @param cause why
     */
    public void fail(long tick, IOException cause) {
        failure.compareAndSet(null, new RecordingFailure(tick, cause));
    }

    /**
     * Why the recording ended before its run. Any thread.
     *
     * @return empty if it goes on, or was closed in order
     */
    public Optional<RecordingFailure> failure() {
        return Optional.ofNullable(failure.get());
    }

    /**
     * Writes what was recorded, and returns when it would survive a loss of power. Idempotent. Waits 5 seconds at most; if the disk takes
     * longer, {@link #failure()} says so.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (thread == null) {
            begin(List.of()); // an empty log is a log too
        }
        closed = true;
        RecordingThread writing = Objects.requireNonNull(thread);
        if (!writing.end(closeNanos)) {
            fail(
                    writing.firstWaitingTick(),
                    new IOException("the disk has not taken the last ticks within " + closeNanos / 1e9 + " s"));
        }
    }

    private RingBuffer<LoggedTick> ring() {
        return Objects.requireNonNull(ring, "a recording has to begin before its first tick");
    }
}
