package dev.escapement.physics;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.ThreadEnd;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Waiting;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A dedicated thread that ticks a {@link Simulation} at an exact rate and publishes its snapshots.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(simulation)
 *         .rate(TickRate.hertz(100))
 *         .start()) {
 *     SnapshotReader reader = physics.newReader();
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any thread may call any method. The simulation is only ever called on the physics thread.
 *
 * <p><b>Failure.</b> When the simulation throws, ticking ends, {@link #state()} is FAILED and {@link #failure()} says
 * why; the last good window stays readable. Time that a slow tick costs is given up, counted, and written into the
 * timeline; tick numbers stay consecutive.
 */
public final class PhysicsService implements AutoCloseable {

    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** What the service is doing. */
    public enum State {
        /** Ticking. */
        RUNNING,
        /** Simulated time stands still. */
        PAUSED,
        /** The simulation threw; nothing ticks any more. */
        FAILED,
        /** Closed without a failure. */
        CLOSED,
        /** Closed while the simulation hung: its thread still has not ended. */
        ABANDONED
    }

    private final Simulation simulation;
    private final NanoClock clock = NanoClock.system();
    private final TickParts parts;
    private final Pacer pacer;
    private final Thread thread;

    private final AtomicBoolean closing = new AtomicBoolean();

    // Volatile for those who ask; for the physics thread the pacer's flag orders it: it is written before the cancel.
    private volatile long closedAtNanos;
    private volatile long startedAtNanos;

    // Both written by the physics thread; the cause before the state, so that whoever reads FAILED also sees the cause.
    private volatile @Nullable Throwable failure;
    private volatile State state = State.RUNNING;

    // Written by whoever closes; nothing else is ordered by it.
    private volatile boolean abandoned;

    PhysicsService(PhysicsServiceBuilder builder) {
        simulation = builder.simulation;
        parts = new TickParts(builder, clock, builder.lateTicks);
        pacer = new Pacer(clock, Waiting.system());
        thread = new Thread(this::run, "escapement-physics");
        thread.setDaemon(true);
    }

    /**
     * Starts to describe a service.
     *
     * @param simulation what ticks; the service closes it
     * @return a builder with the defaults: 100 Hz, windows of 3 snapshots, 2 readers
     */
    public static PhysicsServiceBuilder builder(Simulation simulation) {
        return new PhysicsServiceBuilder(simulation);
    }

    void start() {
        // Here and not on the new thread: when that thread gets to run is no part of the promise.
        startedAtNanos = clock.nanoTime();
        parts.schedule.start(startedAtNanos);
        thread.start();
    }

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if all readers the service was built for are attached
     */
    public SnapshotReader newReader() {
        return parts.exchange.attach();
    }

    /**
     * Lets something be done on the physics thread before the next tick, or soon if time stands still. Commands of one thread
     * run in their order. Commands may give commands.
     *
     * @param command what to do
     * @param <T>     what comes of it
     * @return is completed, on another thread, with the tick before which it ran and what it returned; exceptionally if it
     *     threw, if the queue is full, or if the service ends before
     */
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        return wake(parts.commands.offer(command));
    }

    /**
     * Lets something be looked up on the physics thread between two ticks, after the next one has been published: a ray cast,
     * say.
     *
     * @param query what to look up
     * @param <T>   what comes of it
     * @return is completed, on another thread, with the tick whose state was asked and what the query returned; exceptionally
     *     if it threw, if the queue is full, or if the service ends before
     */
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        return wake(parts.queries.offer(query));
    }

    /**
     * How many commands and queries were refused because their queue was full.
     *
     * @return commands and queries
     */
    public long refusedCommands() {
        return parts.commands.refused() + parts.queries.refused();
    }

    /** Lets simulated time stand still at the end of the next tick, where nothing after it has been shown yet. */
    public void pause() {
        parts.time.pause();
    }

    /** Lets simulated time go on from now. */
    public void resume() {
        parts.time.resume();
        pacer.signal();
    }

    /** Lets one tick pass, at the speed set, and then time stand still. A tick under way counts. */
    public void step() {
        parts.time.step();
        pacer.signal();
    }

    /**
     * Sets how fast simulated time runs, from the end of the next tick on. The length of a tick stays what it is: with the
     * same input per tick, the same states follow at every speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    public void timeScale(TimeScale scale) {
        parts.time.scale(scale);
    }

    /**
     * How fast simulated time is to run.
     *
     * @return simulated over real time, whether or not it stands still
     */
    public TimeScale timeScale() {
        return parts.time.scale();
    }

    /**
     * Where input is offered.
     *
     * @return the ring that is drained at every tick
     */
    public InputRing input() {
        return parts.input;
    }

    /**
     * How many input events were accepted but belong to no tick yet.
     *
     * @return events, exact once the service is closed and nobody offers
     */
    public long pendingInputs() {
        return parts.sampler.pending();
    }

    /**
     * What the service is doing.
     *
     * @return the state
     */
    public State state() {
        return abandoned && thread.isAlive() ? State.ABANDONED : state;
    }

    /**
     * When simulated time started.
     *
     * @return an instant of the clock; tick n was due n periods later, plus what was given up
     */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * When the service was closed.
     *
     * @return an instant of the clock; whatever was due before has been run or given up
     * @throws IllegalStateException if it was not closed yet
     */
    public long closedAtNanos() {
        if (!closing.get()) {
            throw new IllegalStateException("this service is not closed, it is " + state());
        }
        return closedAtNanos;
    }

    /**
     * Why the service failed.
     *
     * @return what the simulation threw, empty if it did not
     */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * How many deadlines were given up because ticks took too long.
     *
     * @return ticks
     */
    public long givenUpTicks() {
        return parts.schedule.givenUpTicks();
    }

    /**
     * How much time was given up because ticks took too long: exact for every policy, where ticks count whole deadlines only.
     *
     * @return nanoseconds of the clock
     */
    public long givenUpNanos() {
        return parts.schedule.givenUpNanos();
    }

    /**
     * How many poses were replaced by the body's last good one because they were not finite.
     *
     * @return poses
     */
    public long quarantinedPoses() {
        return parts.capture.quarantinedPoses();
    }

    /**
     * How many blocks of 1024 bodies had to be added to snapshots because the world outgrew what was preallocated. Each is an
     * allocation.
     *
     * @return added blocks, over all snapshots
     */
    public long grownBlocks() {
        return parts.capture.grownBlocks();
    }

    /**
     * The rate of the ticks.
     *
     * @return the rate the service was built with
     */
    public TickRate rate() {
        return parts.schedule.timeline().rate();
    }

    /**
     * Ends ticking and closes the simulation. Idempotent. Waits for the current tick, at most 5 seconds; a simulation
     * that hangs longer is abandoned with its daemon thread, as {@link #state()} tells. On the physics thread itself it returns at once and the
     * current tick is the last.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            closedAtNanos = clock.nanoTime();
            pacer.cancel();
        }
        if (thread != Thread.currentThread() && !ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS)) {
            abandoned = true;
        }
    }

    /** The queue has put a full fence between the command and this look at the state. */
    private <T> T wake(T future) {
        if (state == State.PAUSED) {
            pacer.signal();
        }
        return future;
    }

    private void run() {
        try {
            while (awaitNextTick()) {
                parts.loop.runTick();
            }
            parts.schedule.end(closedAtNanos);
        } catch (Throwable thrown) {
            fail(thrown);
        }
        try {
            simulation.close();
        } catch (Throwable thrown) {
            fail(thrown);
        }
        if (state != State.FAILED) {
            state = State.CLOSED;
        }
        Throwable cause = failure;
        IllegalStateException ended = new IllegalStateException("the physics service has ended: " + state, cause);
        parts.commands.end(ended);
        parts.queries.end(ended);
    }

    /** False when the service is closed. */
    private boolean awaitNextTick() {
        while (parts.schedule.isPaused()) {
            state = State.PAUSED;
            // Between telling and looking: who asked for something before will not signal, see wake().
            VarHandle.fullFence();
            boolean more = parts.loop.runPaused();
            if (pacer.isCancelled()) {
                return false;
            }
            if (parts.schedule.isPaused() && !more && !pacer.awaitSignal()) {
                return false;
            }
        }
        if (state == State.PAUSED) {
            state = State.RUNNING;
        }
        return pacer.awaitUntil(parts.schedule.nextDueNanos());
    }

    /** The first failure is the cause; what comes after it is told with it. */
    private void fail(Throwable thrown) {
        Throwable first = failure;
        if (first == null) {
            failure = thrown;
        } else if (first != thrown) {
            first.addSuppressed(thrown);
        }
        state = State.FAILED;
    }
}
