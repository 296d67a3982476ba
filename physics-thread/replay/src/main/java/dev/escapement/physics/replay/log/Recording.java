package dev.escapement.physics.replay.log;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records a run to a file while it ticks: the input of every tick, its commands that have a {@code CommandType}, and a hash of the state
 * after it. A separate thread writes, from an LMAX Disruptor ring of preallocated ticks.
 *
 * <pre>{@code
 * RunDescription description = new RunDescription("jolt", JoltWorldSimulation.version(), "the crate yard", 0, rate);
 * try (Recording recording = Recording.create(Path.of("run.esclog"), description);
 *         PhysicsService physics = PhysicsService.builder(simulation).rate(rate).with(recording).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread never waits for the disk. If the disk is full, or so slow that {@value #RING_TICKS} ticks wait for it, the
 *       recording ends with a {@link #failure()}, and the run continues.</li>
 *   <li>The file is a valid log up to the last tick that was written completely, also after a crash.</li>
 *   <li>Bounded memory: {@value #RING_TICKS} ticks. The physics thread allocates only when more ticks wait than ever before, or a tick is
 *       larger.</li>
 * </ol>
 *
 * <p><b>Threads.</b> The service calls {@link #attach(TickAccess)}, {@link #stepped} and {@link #sought}. Any thread may read the failure.
 * Close the recording after the service: later ticks are not recorded.
 *
 * @see InputLog
 */
public final class Recording implements TickHook, AutoCloseable {

    /** Maximum number of ticks that wait for the disk. */
    public static final int RING_TICKS = 256;

    private static final long LOOK_NANOS = 100_000;

    private final RunDescription description;
    private final LogSink sink;
    long closeNanos = TimeUnit.SECONDS.toNanos(5); // tests shorten it
    long idleNanos = RecordingThread.IDLE_NANOS; // tests lengthen it

    // The first failure is kept. Volatile accesses, so that the physics thread soon reads it and records nothing more;
    // they order no other access.
    private final AtomicReference<@Nullable RecordingFailure> failure = new AtomicReference<>();

    /** Null until the service begins. Volatile: publishes the thread object safely. */
    private volatile @Nullable RecordingThread thread;

    private boolean mayWait;
    private long lastTick;

    /** The simulation tick to which the run went back since the last recorded tick; negative if it did not. */
    private long wentBackTo = -1;

    // Volatile, so that the physics thread soon reads it; it orders no other access.
    private volatile boolean closed;

    Recording(LogSink sink, RunDescription description) {
        this.sink = sink;
        this.description = description;
    }

    /**
     * Creates a recording to a file that must not exist yet.
     *
     * @param file        the file of the log
     * @param description describes the run, so that it can be replayed
     * @return the recording, for one service or driver
     * @throws FileAlreadyExistsException if the file exists: a recording never overwrites a log
     * @throws IOException                if the file cannot be created
     */
    public static Recording create(Path file, RunDescription description) throws IOException {
        Objects.requireNonNull(description, "description must not be null; say what has to be known to run it again");
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return new Recording(new FileSink(channel), description);
        } catch (FileAlreadyExistsException exists) {
            String why = "a recording never overwrites a log; delete the file, or name another";
            FileAlreadyExistsException refused = new FileAlreadyExistsException(file.toString(), null, why);
            refused.initCause(exists);
            throw refused;
        }
    }

    @Override
    public void attach(TickAccess run) {
        if (!run.rate().equals(description.rate())) {
            throw new IllegalArgumentException("the recording says " + description.rate() + ", but ticks are to run at "
                    + run.rate() + "; set both to the same rate");
        }
        if (run.firstTick() > 1) {
            throw new IllegalArgumentException("a log has every tick from 1 on, but the first tick is to be "
                    + run.firstTick() + "; begin with tick 1, or record nothing");
        }
        LogHeader.requireHash(run.simulation());
        mayWait = run.mayWait();
        begin(run.simulation().commands().types(), run.simulation().settings());
    }

    synchronized void begin(List<CommandName> types, String settings) {
        if (thread != null || closed) {
            throw new IllegalStateException("a recording is for one run, but this one of " + description
                    + (closed ? " was closed" : " has begun") + "; create another");
        }
        LogHeader header = new LogHeader(description, types, settings, null);
        RecordingThread writing = new RecordingThread(sink, header, failure, idleNanos);
        writing.start();
        thread = writing; // after start(), which may throw: then close() begins again, and writes an empty log
    }

    /** Records a tick. Waits for the disk only if the run may wait, as a driver without a physics thread may. */
    @Override
    public void stepped(TickHook.Stepped stepped) {
        if (hasEnded()) {
            return; // before stateHash(), which would be computed in vain
        }
        if (mayWait) {
            awaitRoom();
        }
        tick(stepped.tick(), stepped.commands(), stepped.local(), stepped.stateHash());
    }

    /** Adds a tick to the ring, and never waits. Fails the recording if the ring is full. */
    void tick(Tick tick, List<CommandData> commands, String local, long stateHash) {
        if (hasEnded()) {
            return;
        }
        long number = tick.number();
        if (number != lastTick + 1) {
            throw new IllegalStateException("a log has every tick from 1 on, but tick " + number + " was to be number "
                    + (lastTick + 1) + "; record from the start");
        }
        RecordingThread writing = writing();
        RingBuffer<LoggedTick> ticks = writing.ring;
        if (!ticks.hasAvailableCapacity(1)) {
            fail(number, new IOException("all " + RING_TICKS + " ticks wait for the disk, which is too slow"));
            return;
        }
        // Claims the slot only after filling it: if the simulation throws, nothing was claimed. This thread is the only
        // producer.
        LoggedTick slot = ticks.get(ticks.getCursor() + 1);
        slot.set(tick, commands, local);
        slot.wentBackTo = wentBackTo;
        slot.stateHash = stateHash;
        ticks.publish(claim(ticks));
        lastTick = number;
        wentBackTo = -1;
        // While a run catches up, its ticks come faster than the thread polls, and so must wake it. At the regular rate
        // the ring never gets half full.
        if (waitingTicks() >= RING_TICKS / 2) {
            writing.wake();
        }
    }

    private boolean hasEnded() {
        return failure.get() != null || closed;
    }

    /** Notes a seek, which the next tick's record includes. A seek without a next tick has no effect to repeat. */
    @Override
    public void sought(long tick, boolean resimulates) {
        wentBackTo = tick;
        lastTick = tick;
    }

    /** Returns the number of ticks that wait for the disk. Physics thread. */
    long waitingTicks() {
        return RING_TICKS - writing().ring.remainingCapacity();
    }

    private static long claim(RingBuffer<LoggedTick> ticks) {
        try {
            return ticks.tryNext(); // not next(), which would wait
        } catch (InsufficientCapacityException impossible) {
            throw new IllegalStateException("a ring with room for a tick has none", impossible);
        }
    }

    /** Waits until there is room for another tick, or the recording has ended. Never called by a physics thread. */
    void awaitRoom() {
        RecordingThread writing = writing();
        while (!writing.ring.hasAvailableCapacity(1) && failure.get() == null && writing.isAlive()) {
            writing.wake();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Ends the recording before a tick, unless it has failed already. Any thread. */
    void fail(long tick, IOException cause) {
        failure.compareAndSet(null, new RecordingFailure(tick, cause));
    }

    /**
     * {@return the failure that ended the recording while its run continued; empty if it is still recording, or was closed in order} Any
     * thread.
     */
    public Optional<RecordingFailure> failure() {
        return Optional.ofNullable(failure.get());
    }

    /**
     * Writes the waiting ticks, and returns when the log is on stable storage. Idempotent. Waits at most 5 seconds; if the disk takes
     * longer, the recording has a {@link #failure()}.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (thread == null) {
            begin(List.of(), ""); // writes an empty log, which is valid
        }
        closed = true;
        RecordingThread writing = writing();
        if (!writing.end(closeNanos)) {
            fail(
                    writing.firstWaitingTick(),
                    new IOException("the disk has not taken the last ticks within " + closeNanos / 1e9 + " s"));
        }
    }

    private RecordingThread writing() {
        return Objects.requireNonNull(thread, "a recording has to begin before its first tick");
    }

    private record FileSink(FileChannel channel) implements LogSink {

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                channel.force(true);
            }
        }
    }
}
