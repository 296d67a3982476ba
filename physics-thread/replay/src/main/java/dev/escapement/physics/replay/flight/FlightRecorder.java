package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last seconds of a run, and archives them in a file when something fails. A replay of the file repeats the failure, even if the
 * process died. The file is an ordinary log that starts in the middle of the run, with a saved state.
 *
 * <pre>{@code
 * RunDescription description = new RunDescription("jolt", JoltWorldSimulation.version(), "the crate yard", 0, rate);
 * PhysicsService physics = PhysicsService.builder(simulation)
 *         .rate(rate)
 *         .with(FlightRecorder.in(Path.of("failures"), description))
 *         .start();
 * }</pre>
 *
 * <p>It archives a file when the simulation, a command, a listener or a source throws, a tick hangs, a pose is not finite, or a replica
 * differs; by {@link #save}; and at the next start in the same folder, if the process died. A line in the log of
 * {@code dev.escapement.physics} names the file. {@link dev.escapement.physics.replay.log.InputLog#repeat} replays it. The folder has one
 * file for each fault, and at most 20: the recorder removes the oldest.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>A file has each command, and all input of a tick, before they run, however the process ends. The loss of power is not covered.</li>
 *   <li>The service never waits and never fails because of its recorder. A recorder that fails has a {@link #failure()}, logs a line, and
 *       archives what it has.</li>
 *   <li>Bounded disk: {@link #maxBytes}, twice that while its thread gets no time, the records of one tick, of one pause or of the time in
 *       which a file is archived, and the archived files. If a tick or a pause alone exceeds {@link #maxBytes}, the recorder ends. Ticks
 *       allocate only where a state is saved.</li>
 *   <li>A process counts as dead if it ended before its recorder did, or if a file could not be written, for example on a full disk: then
 *       the ring's files stay, and the next start archives them.</li>
 * </ol>
 *
 * <p>A simulation that is not {@link Restorable}, or does not {@linkplain Restorable#restoresElsewhere() restore elsewhere}, is recorded
 * from its start on, while that fits into {@link #maxBytes}. Then the recorder ends with a {@link #failure()}.
 *
 * <p>After a seek to a tick before the last saved state, later files lack the ticks before the seek, unless they start with the run.
 *
 * <p><b>Threads.</b> One thread sets the recorder up; the service calls the rest. Any thread may read the failure.
 */
public final class FlightRecorder implements TickHook {

    private static final long DEFAULT_BYTES = 64L << 20;
    private static final long MIN_BYTES = 1 << 20;
    private static final long MAX_BYTES = 8L << 30;

    /**
     * The number of ring files that hold the kept time, each from a saved state on. The other two files are the current one and one in
     * reserve.
     */
    private static final int STATES = FlightRing.FILES - 2;

    /** The simulated time that files reach back if there is room. */
    private static final long BACK_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The fewest ticks between two saved states, because a save takes time. */
    private static final long MIN_TICKS = 500;

    private static final int MAX_FAULTS = 1000;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path folder;
    private final RunDescription description;
    private long maxBytes = DEFAULT_BYTES;
    FlightRing.@Nullable Opener opener; // tests set one that fails

    // The first failure is kept. Volatile accesses, so that the physics thread soon reads it and writes nothing more;
    // they order no other access.
    private final AtomicReference<@Nullable RecordingFailure> failure = new AtomicReference<>();

    /** Null until the service begins, and if the folder is unusable. Volatile: any thread may report a fault. */
    volatile @Nullable FlightRing ring; // tests make its copies block

    // Volatile: a thread that returns from a hang reads true, and writes nothing more.
    private volatile boolean ended;

    private final CountDownLatch done = new CountDownLatch(1);

    private final Set<String> faults = ConcurrentHashMap.newKeySet();

    /**
     * The keeper: creates, copies and removes files, one task after the other. With two threads, one could remove a file that the other
     * copies.
     */
    final ExecutorService keeper = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "escapement-flight-recorder");
        thread.setDaemon(true);
        return thread;
    });

    Executor preparing = keeper; // runs file tasks of the ring; tests replace it, to wait for them

    private String origin = "";

    /** Null until the service begins, and if the folder is unusable. Physics thread only, after {@link #attach}. */
    private @Nullable FlightWriter writer;

    /** Whether a file could not be archived, so that its ticks are in the ring alone. Keeper only. */
    private boolean isRingNeeded;

    private FlightRecorder(Path folder, RunDescription description) {
        this.folder = folder;
        this.description = description;
    }

    /**
     * Creates a flight recorder for one service or driver.
     *
     * @param folder      a folder that no other flight recorder uses; it is created if it does not exist
     * @param description describes the run, so that it can be repeated
     * @return a flight recorder that keeps the last 30 s
     */
    public static FlightRecorder in(Path folder, RunDescription description) {
        return new FlightRecorder(
                Objects.requireNonNull(folder, "folder must not be null; name one for its files"),
                Objects.requireNonNull(
                        description, "description must not be null; say what has to be known to run it again"));
    }

    /**
     * Sets the disk space of the recorder without archived files, 64 MiB by default.
     *
     * @param bytes at least 1 MiB; eight times as much as a saved state with some seconds of input
     * @return this
     * @throws IllegalArgumentException if {@code bytes} is less than 1 MiB or more than 8 GiB
     */
    public FlightRecorder maxBytes(long bytes) {
        if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a flight recorder needs " + MIN_BYTES + " to " + MAX_BYTES
                    + " bytes, but is to have " + bytes + "; the default is " + DEFAULT_BYTES);
        }
        maxBytes = bytes;
        return this;
    }

    /** {@return the failure that ended the recorder while its run continued; empty if it records, or has ended in order} Any thread. */
    public Optional<RecordingFailure> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void attach(TickAccess run) {
        Simulation simulation = run.simulation();
        TickRate rate = run.rate();
        if (!rate.equals(description.rate())) {
            throw new IllegalArgumentException("the flight recorder says " + description.rate()
                    + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        if (!origin.isEmpty()) {
            throw new IllegalStateException("a flight recorder is for one run, but this one has begun; create another");
        }
        LogHeader.requireHash(simulation);
        origin = originOf(simulation);
        try {
            FlightRing current = FlightRing.lock(folder);
            try {
                archiveDeath(current);
                current.opener = opener == null ? current.opener : opener;
                current.create((int) (maxBytes / FlightRing.FILES));
                long stateTicks = Math.max(MIN_TICKS, rate.tickAt(BACK_NANOS) / STATES);
                LogHeader header = LogHeader.ofFlight(description, simulation, origin);
                writer = new FlightWriter(current, header, simulation, stateTicks, preparing);
                ring = current;
            } catch (Throwable unusable) {
                current.end(true); // the files of a dead process that are not archived wait for another start
                throw unusable;
            }
        } catch (Throwable unusable) {
            fail(
                    0,
                    new IOException(
                            "the folder " + folder + " cannot be used: " + FailureReport.why(unusable), unusable));
        }
    }

    private String originOf(Simulation simulation) {
        String version = FlightRecorder.class.getPackage().getImplementationVersion();
        return description + ", Java " + System.getProperty("java.runtime.version") + " on "
                + System.getProperty("os.name")
                + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", Escapement "
                + (version == null ? "built from source" : version) + ", "
                + simulation.getClass().getName();
    }

    private static void archiveDeath(FlightRing ring) throws IOException {
        FlightFiles files = new FlightFiles(ring.folder());
        files.removeParts();
        List<FlightPart> parts = ring.ofDeadProcess();
        if (!parts.isEmpty()) {
            FlightReport died = Objects.requireNonNull(parts.get(0).header().report());
            long last = FlightPart.endOf(parts);
            files.archive(parts, new FlightReport(Reason.DIED, last, "", "", "", "", died.origin()));
        }
    }

    @Override
    public void command(long tick, Object command) {
        write(tick, command, FlightWriter::command);
    }

    @Override
    public void stepping(Tick tick) {
        write(tick.number(), tick, (to, number, stepping) -> to.stepping(stepping));
    }

    @Override
    public void stepped(TickHook.Stepped stepped) {
        write(stepped.tick().number(), stepped, (to, number, done) -> to.stepped(done));
    }

    @Override
    public void atRest(long tick, boolean bodiesChanged) {
        write(tick, FlightWriter::atRest);
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        write(tick, FlightWriter::sought);
    }

    /** Writes one element of a tick. Implementations capture no variables, so that a call allocates nothing. */
    @FunctionalInterface
    private interface Write<T> {

        void to(FlightWriter writer, long tick, T what) throws IOException;
    }

    @FunctionalInterface
    private interface WriteTick {

        void to(FlightWriter writer, long tick) throws IOException;
    }

    private void write(long tick, WriteTick write) {
        write(tick, write, (to, number, what) -> what.to(to, number));
    }

    private <T> void write(long tick, T what, Write<T> write) {
        FlightWriter current = writer;
        if (current == null || ended || failure.get() != null) {
            return;
        }
        try {
            write.to(current, tick, what);
        } catch (Throwable full) {
            fail(tick, full);
        }
    }

    /** Archives a file on the keeper's thread, unless there is one of the same fault. Any thread. */
    @Override
    public void fault(TickHook.Fault fault) {
        FlightRing current = ring;
        if (current == null || ended || failure.get() != null) {
            return;
        }
        FlightReport report = report(fault, origin);
        if (faults.size() < MAX_FAULTS && faults.add(FlightFiles.key(report))) {
            try {
                keeper.execute(() -> archive(current, report));
            } catch (RejectedExecutionException endedMeanwhile) {
                // the recorder has ended meanwhile, so this fault is not archived
            }
        }
    }

    static FlightReport report(TickHook.Fault fault, String origin) {
        Throwable thrown = fault.thrown();
        StackTraceElement[] trace = thrown == null ? new StackTraceElement[0] : thrown.getStackTrace();
        return new FlightReport(
                fault.reason(),
                fault.tick(),
                thrown == null ? "" : thrown.getClass().getName(),
                trace.length == 0 ? "" : trace[0].toString(),
                thrown == null ? fault.detail() : FailureReport.describe(thrown),
                "",
                origin);
    }

    private void archive(FlightRing current, FlightReport report) {
        try {
            current.copy(parts -> new FlightFiles(current.folder()).archive(parts, report));
        } catch (Throwable lost) {
            isRingNeeded = true;
            FailureReport.warn(() -> "The flight recorder cannot archive a file in " + folder + ": "
                    + FailureReport.why(lost) + ". Tick " + report.tick() + " " + report.event()
                    + ". The next start archives the ring's files, which stay there.");
        }
    }

    /**
     * Writes the last seconds to a file that a replay can read. The run continues. Any thread except the one that ticks, because the call
     * waits for the disk.
     *
     * @param file a file that does not exist
     * @throws IOException           if it cannot be written
     * @throws IllegalStateException if this recorder has not begun, or has ended
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file must not be null; name a new one");
        FlightRing current = ring;
        if (current == null || ended || failure.get() != null) {
            String idle = current == null ? "has no run yet; pass it to a builder's with(...)" : "has ended";
            throw new IllegalStateException("the flight recorder "
                    + failure()
                            .map(why -> "has ended before tick " + why.tick() + ": " + FailureReport.why(why.cause()))
                            .orElse(idle));
        }
        Future<?> saving;
        try {
            saving = keeper.submit(() -> {
                current.copy(parts -> {
                    long tick = parts.isEmpty() ? 0 : FlightPart.endOf(parts);
                    FlightFiles.write(file, parts, new FlightReport(Reason.ASKED, tick, "", "", "", "", origin));
                });
                return null;
            });
        } catch (RejectedExecutionException endedMeanwhile) {
            throw new IllegalStateException("the flight recorder has ended", endedMeanwhile);
        }
        try {
            saving.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException disk ? disk : new IOException(failed.getCause());
        } catch (InterruptedException interrupted) {
            saving.cancel(true); // interrupts the task, which closes the file's channel
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the thread that waited for " + file + " was interrupted");
        }
    }

    private void fail(long tick, Throwable thrown) {
        IOException cause = thrown instanceof IOException disk
                ? disk
                : new IOException("it could not write: " + FailureReport.why(thrown), thrown);
        RecordingFailure failed = new RecordingFailure(tick, cause);
        if (failure.compareAndSet(null, failed)) {
            FailureReport.warn(() -> "The flight recorder has ended before tick " + tick
                    + ", and the service continues without it: " + FailureReport.why(cause));
            FlightRing current = ring;
            try {
                if (current != null) {
                    FlightReport report = report(new TickHook.Fault(Reason.ASKED, tick - 1, cause, ""), origin);
                    keeper.execute(() -> {
                        archive(current, report); // else a later death would leave nothing
                        endRing(current);
                    });
                }
            } catch (Throwable endsAnyway) {
                // end() removes the ring
            }
        }
    }

    /**
     * Waits until all files are archived and the ring is removed, at most 2 s. Until then no other recorder can use the folder. A second
     * call waits for the first, or does its work if the first ran out of memory.
     */
    @Override
    public synchronized void end() {
        FlightRing current = ring;
        if (current != null && !keeper.isShutdown()) { // else the keeper has this task already
            ended = true;
            keeper.execute(() -> {
                endRing(current);
                done.countDown();
            });
            keeper.shutdown();
            ThreadEnd.await(done, END_NANOS);
        }
    }

    private void endRing(FlightRing current) {
        try {
            current.end(isRingNeeded);
        } catch (Throwable lost) {
            FailureReport.warn(
                    () -> "The flight recorder cannot remove its ring from " + folder + ": " + FailureReport.why(lost));
        }
    }
}
