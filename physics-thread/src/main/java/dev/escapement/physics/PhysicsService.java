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
 * once, or passed to {@link PhysicsServiceBuilder#onFailure}. The last good window stays readable, and waiting commands fail with the cause.
 * A service that has failed stays so: start over with a new one, from {@link PhysicsServiceBuilder#firstTick the tick} after
 * {@link #lastTick()}. A command that throws fails alone. What goes wrong without ending ticks is logged once in
 * a line: the first command that threw, the first pose that was not finite, a tick that blocks for more than a second.
 *
 * <p><b>Slow ticks.</b> The time that a slow tick costs is given up, counted, and recorded in the timeline; tick numbers stay consecutive.
 */
public final class PhysicsService implements TickingWorld {

    private final NanoClock clock = NanoClock.system();

    /** Lock of start, newReader, events and close: a service is started once, and none of these comes between the steps of another. */
    private final Object lifecycle = new Object();

    private final TickLoop loop;
    private final PhysicsThread thread;
    private volatile long startedAtNanos;
    private boolean closed;
    private @Nullable UnclosedService unclosed;

    PhysicsService(Settings settings, Simulation simulation) {
        loop = new TickLoop(settings, simulation, clock, AnswerThread.create());
        thread = PhysicsThread.create(loop);
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
     * Starts simulated time and the physics thread. The first tick is due one period from now; input, commands and requests from before the start
     * belong to it. Waits until {@link Simulation#begin()} has returned, at most 1 s.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before
     * @throws OutOfMemoryError      if the process cannot start more threads; the service has FAILED and its simulation was closed
     */
    public PhysicsService start() {
        synchronized (lifecycle) {
            if (state() != ServiceState.NEW) {
                throw new IllegalStateException("this service was started before, it is " + state());
            }
            TimerWarning.ofThisJvm().warnOnce();
            startedAtNanos = clock.nanoTime();
            thread.start(startedAtNanos);
            unclosed = UnclosedService.watch(
                    this, "The physics service of " + loop.simulation.getClass().getName());
        }
        thread.awaitBegun(); // not with the lock, because begin() may call the service
        return this;
    }

    /**
     * The state of the service.
     *
     * @return the state
     */
    public ServiceState state() {
        return thread.state();
    }

    /**
     * The cause of the failure. It is known before {@link #state()} is FAILED, while the failed simulation is being closed.
     *
     * @return what the simulation threw, empty if the service has not failed
     */
    @Override
    public Optional<Throwable> failure() {
        Optional<Throwable> cause = thread.failure.cause();
        if (cause.isPresent()) {
            thread.report.seen();
        }
        return cause;
    }

    /**
     * When simulated time was started by {@link #start()}.
     *
     * @return an instant of the clock; the n-th tick was due n periods later, plus pauses and time given up; 0 before the start
     */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * The last tick that was published. A reader that acquires after this call sees that tick or a later one, once there is a window.
     *
     * @return its number; before the first, one less than {@link PhysicsServiceBuilder#firstTick}
     */
    public long lastTick() {
        return loop.lastTick();
    }

    /**
     * When the service was closed.
     *
     * @return an instant of the clock; ticks that were due before it have run or were given up
     * @throws IllegalStateException if it was not closed yet
     */
    public long closedAtNanos() {
        return thread.closedAtNanos();
    }

    @Override
    public SnapshotReader newReader() {
        synchronized (lifecycle) {
            requireOpen("reader can be attached");
            return loop.exchange.attach();
        }
    }

    @Override
    public EventStream events(int capacity) {
        synchronized (lifecycle) {
            requireOpen("stream of events can begin");
            return loop.events.subscribe(capacity);
        }
    }

    /** Call it with the lock. A service that has failed is open: its last window can be read. */
    private void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException(
                    "this service was closed: no " + what + " any more; what there is stays readable");
        }
    }

    @Override
    public InputRing input() {
        return loop.input;
    }

    @Override
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        return wake(loop.requests.command(command));
    }

    @Override
    public <C, T> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        return wake(loop.requests.command(type, command));
    }

    @Override
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        return wake(loop.requests.query(query));
    }

    @Override
    public <T> Spawned<T> spawn(SpawnCommand<T> command) {
        return wake(loop.requests.spawn(command));
    }

    /** Wakes a paused physics thread for a request. The queue has put a full fence between the command and this call. */
    private <T> T wake(T future) {
        thread.signalIfPaused();
        return future;
    }

    @Override
    public long refusedCommands() {
        return loop.requests.refused();
    }

    @Override
    public long failedCommands() {
        return loop.requests.failed();
    }

    @Override
    public void pause() {
        loop.time.pause();
    }

    @Override
    public void resume() {
        loop.time.resume();
        thread.signal();
    }

    @Override
    public void step() {
        loop.time.step();
        thread.signal();
    }

    @Override
    public void timeScale(TimeScale scale) {
        loop.time.scale(scale);
    }

    @Override
    public TimeScale timeScale() {
        return loop.time.scale();
    }

    @Override
    public TickRate rate() {
        return loop.rate();
    }

    @Override
    public boolean hasEnded() {
        ServiceState now = thread.state();
        return now == ServiceState.FAILED || now == ServiceState.CLOSED;
    }

    @Override
    public FigureRing tickFigures() {
        return loop.meters.figures;
    }

    @Override
    public CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies) {
        return query(loop.shapeQuery(bodies)).thenApply(Answer::value);
    }

    @Override
    public PhysicsStats stats() {
        return loop.meters.stats;
    }

    @Override
    public long pendingInputs() {
        return loop.sampler.pending();
    }

    @Override
    public double timeFactor() {
        return thread.isFailing() ? Double.NaN : loop.schedule.timeFactor();
    }

    @Override
    public long givenUpTicks() {
        return loop.schedule.givenUpTicks();
    }

    @Override
    public long givenUpNanos() {
        return loop.schedule.givenUpNanos();
    }

    @Override
    public long quarantinedPoses() {
        return loop.capture.quarantinedPoses();
    }

    @Override
    public long grownBlocks() {
        return loop.capture.grownBlocks();
    }

    @Override
    public Optional<Divergence> divergence() {
        return loop.divergence();
    }

    /**
     * Ends ticking and closes the simulation and the input sources. Idempotent. Waits for the current tick, at most about 5 seconds; a
     * simulation that hangs longer is abandoned with its daemon thread, and the service has FAILED. Logs a warning if the service had
     * failed before and nothing has read its {@link #failure()}. Input that no tick has taken stays {@linkplain #pendingInputs() pending}. On the physics thread this returns immediately, the current tick is the
     * last one, and the same limit applies.
     */
    @Override
    public void close() {
        Optional<Throwable> failedBefore;
        synchronized (lifecycle) {
            closed = true;
            if (unclosed != null) {
                unclosed.closed();
            }
            failedBefore = thread.failure.cause();
            thread.cancel();
            loop.input.close();
            if (state() == ServiceState.NEW) {
                thread.start(clock.nanoTime()); // only to close the simulation, which must happen on the physics thread
            }
        }
        thread.awaitEnd();
        failedBefore.ifPresent(thread.report::tellAtClose);
    }

    @Override
    public String toString() {
        return "PhysicsService[" + state() + ", "
                + loop.simulation.getClass().getName() + " at " + rate() + ", " + givenUpTicks()
                + " ticks given up, " + stats() + "]";
    }
}
