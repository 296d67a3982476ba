package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.SpawnCommand;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.guard.UnclosedService;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.FigureRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 * <p><b>Failure.</b> When the simulation, a listener, a source or a recording throws on the physics thread, ticking ends, {@link #state()} is FAILED and {@link #failure()} is the cause; it is logged
 * once, or passed to {@link PhysicsServiceBuilder#onFailure}. The last good window stays readable, waiting commands fail with the cause,
 * and the service can be {@link #restart restarted}. A command that throws fails alone. What goes wrong without ending ticks is logged once in
 * a line: the first command that threw, the first pose that was not finite, a tick that blocks for more than a second.
 *
 * <p><b>Slow ticks.</b> The time that a slow tick costs is given up, counted, and recorded in the timeline; tick numbers stay consecutive.
 */
public final class PhysicsService implements TickingWorld {

    private final NanoClock clock = NanoClock.system();

    /** Lock of start, restart, newReader and close. Guards every change of {@link #current} and of its state. */
    private final Object lifecycle = new Object();

    // Volatile: a thread that reads the physics thread of a restart sees all that its creator wrote before.
    private volatile PhysicsThread current;
    private volatile long startedAtNanos;
    private boolean closed;
    private @Nullable UnclosedService unclosed;

    PhysicsService(Settings settings, Simulation simulation) {
        current = PhysicsThread.create(new TickLoop(settings, simulation, clock, AnswerThread.create()));
    }

    /**
     * Creates a builder of a service.
     *
     * @param simulation what to tick; the service closes it
     * @return a builder with the defaults: 100 Hz, windows of 3 snapshots, 2 readers
     */
    public static PhysicsServiceBuilder builder(Simulation simulation) {
        return new PhysicsServiceBuilder(
                Objects.requireNonNull(simulation, "simulation must not be null; pass what ticks"));
    }

    /**
     * Starts a service with the defaults of {@link #builder}.
     *
     * @param simulation what to tick; the service closes it
     * @return the running service
     */
    public static PhysicsService start(Simulation simulation) {
        return builder(simulation).start();
    }

    /**
     * Starts simulated time and the physics thread. Tick 1 is due one period from now; input, commands and requests from before the start
     * belong to it. Waits until {@link Simulation#begin()} has returned, at most 1 s.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before
     * @throws OutOfMemoryError      if the process cannot start more threads; the service has FAILED and its simulation was closed
     */
    public PhysicsService start() {
        synchronized (lifecycle) {
            if (current.state() != ServiceState.NEW) {
                throw new IllegalStateException("this service was started before, it is " + current.state());
            }
            TimerWarning.ofThisJvm().warnOnce();
            startedAtNanos = clock.nanoTime();
            current.start(startedAtNanos);
            unclosed = UnclosedService.watch(
                    this,
                    "The physics service of "
                            + current.loop.simulation.getClass().getName());
        }
        current.awaitBegun(); // not with the lock, because begin() may call the service
        return this;
    }

    /**
     * Continues after a failure with another simulation, from the tick after the last one that was published. Readers keep their window
     * until the new simulation has one; its bodies have other ids. The new simulation gets input that was accepted and belongs to no tick
     * yet. Input sources go on, except one that threw or hung: what it held is released. Time runs at its last scale, even if it was
     * paused. Counters restart at 0. Waits for the end of the failed physics thread, as {@link #close()} does.
     *
     * <p>If there is no memory for the restart, nothing has changed: {@link #failure()} is still the old cause, the caller still owns the
     * simulation, and the service can be restarted with it. If only a thread cannot start, the service has failed again: {@link #failure()}
     * is the error that this throws, and the simulation was closed.
     *
     * @param simulation a new simulation
     * @throws IllegalArgumentException if this service has used it before: then it is closed, or hangs
     * @throws IllegalStateException    if the service has not failed, or was closed
     * @throws OutOfMemoryError         if there is no memory for the restart, or the process cannot start more threads
     */
    public void restart(Simulation simulation) {
        Objects.requireNonNull(
                simulation, "simulation must not be null; pass what goes on ticking, or close the service");
        PhysicsThread failed = current;
        if (failed.isFailing()) {
            failed.awaitEnd();
        }
        synchronized (lifecycle) {
            if (closed || current.state() != ServiceState.FAILED || current != failed) {
                throw new IllegalStateException(
                        "only a service that has failed and was not closed can be restarted, but this one is "
                                + (closed ? ServiceState.CLOSED : current.state()));
            }
            current = createSuccessor(failed, simulation);
            current.start(clock.nanoTime());
        }
        current.awaitBegun();
    }

    /**
     * Creates the next physics thread, ends the recording, moves the readers, and lets time run. What may run out of memory comes first.
     */
    private PhysicsThread createSuccessor(PhysicsThread failed, Simulation simulation) {
        PhysicsThread next = PhysicsThread.create(failed.loop.succeededBy(simulation));
        failed.loop.endRecording(
                next.loop.schedule.nextTick(), new IOException("another simulation goes on from here"));
        failed.loop.exchange.handOnTo(next.loop.exchange);
        next.loop.time.resume();
        return next;
    }

    /**
     * The state of the service.
     *
     * @return the state
     */
    public ServiceState state() {
        return current.state();
    }

    /**
     * The cause of the failure. It is known before {@link #state()} is FAILED, while the failed simulation is being closed.
     *
     * @return what the simulation threw, empty if the service has not failed
     */
    @Override
    public Optional<Throwable> failure() {
        PhysicsThread asked = current;
        Optional<Throwable> cause = asked.failure.cause();
        if (cause.isPresent()) {
            asked.report.seen();
        }
        return cause;
    }

    /**
     * When simulated time was started by {@link #start()}.
     *
     * @return an instant of the clock; tick n was due n periods later, plus pauses and time given up; 0 before the start
     */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * When the service was closed.
     *
     * @return an instant of the clock; ticks that were due before it have run or were given up
     * @throws IllegalStateException if it was not closed yet
     */
    public long closedAtNanos() {
        return current.closedAtNanos();
    }

    @Override
    public SnapshotReader newReader() {
        synchronized (lifecycle) { // not during a restart, which moves readers
            requireOpen("reader can be attached");
            return current.loop.exchange.attach();
        }
    }

    @Override
    public EventStream events(int capacity) {
        synchronized (lifecycle) {
            requireOpen("stream of events can begin");
            return current.loop.events.subscribe(capacity);
        }
    }

    /** Call it with the lock. A service that has failed is open: it may be restarted. */
    private void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException(
                    "this service was closed: no " + what + " any more; what there is stays readable");
        }
    }

    @Override
    public InputRing input() {
        return current.loop.input;
    }

    @Override
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        return wake(current.loop.requests.command(command));
    }

    @Override
    public <C, T> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        return wake(current.loop.requests.command(type, command));
    }

    @Override
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        return wake(current.loop.requests.query(query));
    }

    @Override
    public <T> Spawned<T> spawn(SpawnCommand<T> command) {
        return wake(current.loop.requests.spawn(command));
    }

    /** Wakes a paused physics thread for a request. The queue has put a full fence between the command and this call. */
    private <T> T wake(T future) {
        current.signalIfPaused();
        return future;
    }

    @Override
    public long refusedCommands() {
        return current.loop.requests.refused();
    }

    @Override
    public long failedCommands() {
        return current.loop.requests.failed();
    }

    @Override
    public void pause() {
        current.loop.time.pause();
    }

    @Override
    public void resume() {
        current.loop.time.resume();
        current.signal();
    }

    @Override
    public void step() {
        current.loop.time.step();
        current.signal();
    }

    @Override
    public void timeScale(TimeScale scale) {
        current.loop.time.scale(scale);
    }

    @Override
    public TimeScale timeScale() {
        return current.loop.time.scale();
    }

    @Override
    public TickRate rate() {
        return current.loop.rate();
    }

    @Override
    public boolean hasEnded() {
        ServiceState now = current.state();
        return now == ServiceState.FAILED || now == ServiceState.CLOSED;
    }

    @Override
    public FigureRing tickFigures() {
        return current.loop.meters.figures;
    }

    @Override
    public CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies) {
        return query(current.loop.shapeQuery(bodies)).thenApply(Answer::value);
    }

    @Override
    public PhysicsStats stats() {
        return current.loop.meters.stats;
    }

    @Override
    public long pendingInputs() {
        return current.loop.sampler.pending();
    }

    @Override
    public double timeFactor() {
        PhysicsThread asked = current;
        return asked.isFailing() ? Double.NaN : asked.loop.schedule.timeFactor();
    }

    @Override
    public long givenUpTicks() {
        return current.loop.schedule.givenUpTicks();
    }

    @Override
    public long givenUpNanos() {
        return current.loop.schedule.givenUpNanos();
    }

    @Override
    public long quarantinedPoses() {
        return current.loop.capture.quarantinedPoses();
    }

    @Override
    public long grownBlocks() {
        return current.loop.capture.grownBlocks();
    }

    @Override
    public Optional<Divergence> divergence() {
        return current.loop.divergence();
    }

    /**
     * Ends ticking and closes the simulation and the input sources. Idempotent. Waits for the current tick, at most about 5 seconds; a
     * simulation that hangs longer is abandoned with its daemon thread, and the service has FAILED. Logs a warning if the service had
     * failed before and nothing has read its {@link #failure()}. Input that no tick has taken stays {@linkplain #pendingInputs() pending}. On the physics thread this returns immediately, the current tick is the
     * last one, and the same limit applies.
     */
    @Override
    public void close() {
        PhysicsThread last;
        Optional<Throwable> failedBefore;
        synchronized (lifecycle) {
            closed = true;
            if (unclosed != null) {
                unclosed.closed();
            }
            last = current;
            failedBefore = last.failure.cause();
            last.cancel();
            last.loop.input.close();
            if (last.state() == ServiceState.NEW) {
                last.start(clock.nanoTime()); // only to close the simulation, which must happen on the physics thread
            }
        }
        last.awaitEnd();
        failedBefore.ifPresent(last.report::tellAtClose);
    }

    @Override
    public String toString() {
        PhysicsThread asked = current;
        return "PhysicsService[" + asked.state() + ", "
                + asked.loop.simulation.getClass().getName() + " at " + rate() + ", " + givenUpTicks()
                + " ticks given up, " + stats() + "]";
    }
}
