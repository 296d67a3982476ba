package dev.escapement.physics;

import dev.escapement.physics.replay.Divergence;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
 * why; the last good window stays readable, commands that wait fail with the cause, and the service can be
 * {@link #restart restarted}. Time that a slow tick costs is given up, counted, and written into the timeline; tick numbers stay
 * consecutive.
 */
public final class PhysicsService implements AutoCloseable {

    private final PhysicsServiceBuilder builder;
    private final NanoClock clock = NanoClock.system();
    private final InputRing input;
    private final TimeControl time;

    /** Guards every change of life. */
    private final Object lifecycle = new Object();

    // Volatile: whoever sees a new life sees what it was made of.
    private volatile PhysicsThread life;
    private volatile long startedAtNanos;
    private boolean closed;

    /** All that ever ticked here, of which only the last may still live. */
    private final UsedSimulations simulations = new UsedSimulations();

    PhysicsService(PhysicsServiceBuilder builder) {
        this.builder = builder;
        TickParts parts = new TickParts(builder, clock, builder.lateTicks, AnswerThread.create());
        input = parts.input;
        time = parts.time;
        simulations.add(builder.simulation);
        life = new PhysicsThread(builder.simulation, parts, clock, builder);
    }

    /**
     * Starts to describe a service.
     *
     * @param simulation what ticks; the service closes it
     * @return a builder with the defaults: 100 Hz, windows of 3 snapshots, 2 readers
     */
    public static PhysicsServiceBuilder builder(Simulation simulation) {
        return new PhysicsServiceBuilder(
                Objects.requireNonNull(simulation, "simulation must not be null; pass what ticks"));
    }

    /**
     * Starts simulated time, and the thread. Tick 1 is due one period from now. What was offered, commanded and asked for
     * before belongs to it. Returns when the simulation knows its thread, or after a second if its {@link Simulation#begin()}
     * takes longer.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before
     * @throws OutOfMemoryError      if the process may have no more threads; the service has FAILED and its simulation was closed
     */
    public PhysicsService start() {
        synchronized (lifecycle) {
            if (life.state() != ServiceState.NEW) {
                throw new IllegalStateException("this service was started before, it is " + life.state());
            }
            TimerWarning.ofThisJvm().warnOnce();
            startedAtNanos = clock.nanoTime();
            life.start(startedAtNanos);
        }
        life.awaitBegun(); // without the lock, for the simulation may ask the service for something
        return this;
    }

    /**
     * Goes on after a failure with another simulation, from the tick after the last one that was published. Readers keep their
     * window until there is one of the new simulation, and then see that; its bodies have other ids. Input that was accepted
     * and belongs to no tick yet is handed to it. Input sources go on, but one that failed, and what that one held comes up. Time runs, at the scale it had. Counters
     * start anew. Waits for the end of what failed, as {@link #close()} does.
     *
     * <p>Without memory for a next life nothing has changed: {@link #failure()} says what it said, the simulation is the caller's, and
     * the service can be restarted with it. If only its threads cannot start, the next life has failed: {@link #failure()} is the error
     * that is thrown, and the simulation was closed.
     *
     * @param simulation another one: those that failed are closed, or hang
     * @throws IllegalArgumentException if it is one that failed
     * @throws IllegalStateException    if the service has not failed, or was closed
     * @throws OutOfMemoryError         if there is no memory for a next life, or the process may have no more threads
     */
    public void restart(Simulation simulation) {
        Objects.requireNonNull(
                simulation, "simulation must not be null; pass what goes on ticking, or close the service");
        PhysicsThread failed = life;
        if (failed.isFailing()) {
            failed.awaitEnd();
        }
        synchronized (lifecycle) {
            if (closed || life.state() != ServiceState.FAILED || life != failed) {
                throw new IllegalStateException(
                        "only a service that has failed and was not closed can be restarted, but this one is "
                                + (closed ? ServiceState.CLOSED : life.state()));
            }
            simulations.add(simulation);
            try {
                life = succeed(failed, simulation);
            } catch (Throwable noMemory) {
                simulations.forgetLast(); // nothing has happened to it
                throw noMemory;
            }
            life.start(clock.nanoTime());
        }
        life.awaitBegun();
    }

    /** Makes another life, and only when there is one hands to it what this one had. */
    private PhysicsThread succeed(PhysicsThread failed, Simulation simulation) {
        TickParts parts = failed.parts.succeededBy(builder, simulation, clock);
        PhysicsThread next = new PhysicsThread(simulation, parts, clock, builder);
        TickLog.endWith(builder, parts.schedule.nextTick());
        failed.parts.exchange.handOnTo(parts.exchange);
        time.resume();
        return next;
    }

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if all readers the service was built for are attached
     */
    public SnapshotReader newReader() {
        synchronized (lifecycle) { // a restart moves readers
            return life.parts.exchange.attach();
        }
    }

    /**
     * Subscribes to what happens to bodies, from the next tick to begin on.
     *
     * @param capacity how many events wait at most, a power of two
     * @return a stream of events for one thread
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public EventStream events(int capacity) {
        return life.parts.events.subscribe(capacity);
    }

    /**
     * Lets something be done on the physics thread before the next tick, soon if slow motion makes that far away or time stands
     * still. Commands of one thread run in their order. Commands may give commands, which run before the tick after that; while time
     * stands still they run at once, so that one which gives itself again keeps a core busy. All futures are completed on one thread, another
     * one after a restart; what takes long there should go on with {@code thenAcceptAsync}: it holds up all answers behind it, and a command keeps its
     * place in the queue until its answer is given. Where something blocks there when the service ends, up to seven other threads
     * give what is left.
     *
     * @param command what to do
     * @param <T>     what comes of it
     * @return is completed, on another thread, with the tick before which it ran and what it returned; exceptionally if it
     *     threw, if the queue is full, or if the service ends before
     */
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what to do before the next tick");
        return wake(life.parts.commands.offer(command));
    }

    /**
     * Reserves the id of a body and lets it be made on the physics thread, as {@link #command} does. The id may be used at
     * once in later commands of the same thread: they run after this one.
     *
     * @param command what makes the body
     * @param <T>     what comes of it
     * @return the id, and what {@link #command} would return; where all places of the queue are taken or the service has
     *     ended, an id that no body ever has
     * @throws IllegalStateException if the simulation counts its bodies with {@code bodyCount}, or if there are too many. Before
     *                               its first capture that is not known: then the future is completed with this exception,
     *                               even if the command ran
     */
    public <T> Spawned<T> spawn(SpawnCommand<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what makes the body");
        return wake(life.parts.spawner.spawn(command));
    }

    /**
     * Lets something be looked up on the physics thread between two ticks, after the next one has been published: a ray cast,
     * say. If slow motion makes that more than 20 ms away, or time stands still, it is soon: what is seen then is the tick that was
     * published last, and what commands have done since.
     *
     * @param query what to look up
     * @param <T>   what comes of it
     * @return is completed, on another thread, with the tick whose state was asked and what the query returned; exceptionally
     *     if it threw, if the queue is full, or if the service ends before
     */
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        Objects.requireNonNull(query, "query must not be null; pass what to look up between two ticks");
        return wake(life.parts.queries.offer(query));
    }

    /**
     * How many commands and queries were refused because their queue was full, since the last start.
     *
     * @return commands and queries
     */
    public long refusedCommands() {
        return life.parts.commands.refused() + life.parts.queries.refused();
    }

    /**
     * Lets simulated time stand still at the end of the next tick, where nothing after it has been shown yet. Until then at most one
     * tick of simulated time passes: its length over the scale, which is 10 s at 100 Hz and 1/1000.
     */
    public void pause() {
        time.pause();
    }

    /** Lets simulated time go on from now. */
    public void resume() {
        time.resume();
        life.signal();
    }

    /** Lets one tick pass, at the speed set, and then time stand still. A tick under way counts. */
    public void step() {
        time.step();
        life.signal();
    }

    /**
     * Sets how fast simulated time runs, from the end of the next tick on, as {@link #pause()}. The length of a tick stays what it
     * is: with the same input per tick, the same states follow at every speed.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    public void timeScale(TimeScale scale) {
        time.scale(scale);
    }

    /**
     * How fast simulated time is to run.
     *
     * @return simulated over real time, whether or not it stands still
     */
    public TimeScale timeScale() {
        return time.scale();
    }

    /**
     * Where input is offered.
     *
     * @return the ring that is drained at every tick
     */
    public InputRing input() {
        return input;
    }

    /**
     * How many input events were accepted but belong to no tick yet.
     *
     * @return events, exact once the service is closed and nobody offers
     */
    public long pendingInputs() {
        return life.parts.sampler.pending();
    }

    /**
     * What the service is doing.
     *
     * @return the state
     */
    public ServiceState state() {
        return life.state();
    }

    /**
     * When simulated time started first.
     *
     * @return an instant of the clock; tick n was due n periods later, plus what was given up; 0 before the start
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
        Long nanos = life.closedAtNanos();
        if (nanos == null) {
            throw new IllegalStateException("this service is not closed, it is " + state());
        }
        return nanos;
    }

    /**
     * Why the service failed. Known before {@link #state()} is FAILED: while what failed is being closed.
     *
     * @return what the simulation threw, empty if it did not
     */
    public Optional<Throwable> failure() {
        return life.failure.cause();
    }

    /**
     * Where a replay first led to another state than the recorded run did. Ticks go on after it.
     *
     * @return empty as long as all states are the same, and if nothing is replayed
     * @see PhysicsServiceBuilder#replay
     */
    public Optional<Divergence> divergence() {
        return life.parts.log.divergence();
    }

    /**
     * How punctual the ticks were, and how long they took.
     *
     * @return the statistics since the last start, read while ticks go on
     */
    public PhysicsStats stats() {
        return life.parts.stats;
    }

    /**
     * How much of the time that passed was simulated: less than 1 where time was given up because ticks took too long. Pauses do
     * not count, and slow motion is no loss.
     *
     * @return 0 to 1, since the last start
     */
    public double timeFactor() {
        return life.parts.schedule.timeFactor();
    }

    /**
     * How many deadlines were given up because ticks took too long.
     *
     * @return ticks
     */
    public long givenUpTicks() {
        return life.parts.schedule.givenUpTicks();
    }

    /**
     * How much time was given up because ticks took too long: exact for every policy, where ticks count whole deadlines only.
     *
     * @return nanoseconds of the clock
     */
    public long givenUpNanos() {
        return life.parts.schedule.givenUpNanos();
    }

    /**
     * How many poses were replaced by the body's last good one because they were not finite.
     *
     * @return poses
     */
    public long quarantinedPoses() {
        return life.parts.capture.quarantinedPoses();
    }

    /**
     * How many blocks of 1024 bodies had to be added to snapshots because the world outgrew what was preallocated. Each is an
     * allocation.
     *
     * @return added blocks, over all snapshots
     */
    public long grownBlocks() {
        return life.parts.capture.grownBlocks();
    }

    /**
     * The rate of the ticks.
     *
     * @return the rate the service was built with
     */
    public TickRate rate() {
        return life.parts.schedule.timeline().rate();
    }

    /**
     * Ends ticking and closes the simulation and the input sources. Idempotent. Waits for the current tick, about 5 seconds at
     * most; a simulation that hangs longer is abandoned with its daemon thread, and the service has FAILED. On the physics thread
     * itself it returns at once, the current tick is the last, and the same limit holds.
     */
    @Override
    public void close() {
        PhysicsThread last;
        synchronized (lifecycle) {
            closed = true;
            last = life;
            last.cancel();
            if (last.state() == ServiceState.NEW) {
                last.start(clock.nanoTime()); // only to close the simulation, which nobody else may call
            }
        }
        last.awaitEnd();
    }

    /** The queue has put a full fence between the command and this look at the state. */
    private <T> T wake(T future) {
        life.signalIfPaused();
        return future;
    }
}
