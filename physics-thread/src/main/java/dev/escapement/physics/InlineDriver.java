package dev.escapement.physics;

import dev.escapement.physics.replay.Divergence;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ticks a {@link Simulation} inside the caller's own loop: the same parts as a {@link PhysicsService}, without a thread. It
 * runs every tick that is due and gives none up; on a manual clock it is exactly reproducible.
 *
 * <pre>{@code
 * InlineDriver driver = PhysicsService.builder(simulation).inline(NanoClock.system());
 * while (playing) {
 *     driver.runDueTicks();
 *     view.advance(System.nanoTime());
 * }
 * }</pre>
 *
 * <p>One thread, except {@link #newReader()}, {@link #events}, {@link #input()}, {@link #command}, {@link #query} and {@link #spawn}.
 */
public final class InlineDriver implements AutoCloseable {

    private final Simulation simulation;
    private final NanoClock clock;
    private final TickParts parts;
    private final Ending run = this::endRun;
    private final Ending sources;
    private boolean running;
    private boolean closed;

    InlineDriver(PhysicsServiceBuilder builder, NanoClock clock) {
        this.simulation = builder.simulation;
        this.clock = clock;
        parts = new TickParts(builder, clock, LateTicks.runAll(), Runnable::run);
        sources = parts.sources::close;
        parts.schedule.start(clock.nanoTime(), TimeScale.ONE);
    }

    /**
     * Runs the ticks that are due and have not run, none while time stands still. One within which the driver is closed is the last.
     *
     * @return how many were run
     * @throws IllegalStateException if the driver was closed, if a tick calls this, or if the simulation threw a checked exception; an
     *                               unchecked one is passed on
     */
    public int runDueTicks() {
        return runDueTicks(Integer.MAX_VALUE);
    }

    /**
     * Runs ticks that are due and have not run, but no more than a number of them: the others stay due.
     *
     * @param mostTicks how many at most
     * @return how many were run
     * @throws IllegalStateException if the driver was closed, if a tick calls this, or if the simulation threw a checked exception; an
     *                               unchecked one is passed on
     */
    public int runDueTicks(int mostTicks) {
        if (running) {
            throw new IllegalStateException(
                    "this driver is running ticks already; what a tick calls cannot run others within it");
        }
        if (closed) {
            throw new IllegalStateException("this driver was closed, and its simulation with it");
        }
        running = true;
        try (run) {
            begin();
            return runTicks(mostTicks);
        }
    }

    private int runTicks(int mostTicks) {
        int ticks = 0;
        long nowNanos = clock.nanoTime(); // once: ticks that take longer than their period would never catch up
        if (!closed && parts.schedule.isPaused()) {
            parts.loop.runPaused();
        } else if (!closed && parts.schedule.isFar(nowNanos)) {
            parts.loop.runBetweenTicks();
        }
        while (!closed && ticks < mostTicks && isDue(nowNanos)) {
            runTick();
            ticks++;
        }
        return ticks;
    }

    private boolean isDue(long nowNanos) {
        return !parts.schedule.isPaused() && parts.schedule.nextDueNanos() - nowNanos <= 0;
    }

    /**
     * Lets something be done within {@link #runDueTicks()} before the next tick, or at once there if slow motion makes that more
     * than 20 ms away or time stands still. Any thread; commands of one thread run in their order.
     *
     * @param command what to do
     * @param <T>     what comes of it
     * @return is completed, by the thread that runs the ticks, with the tick before which it ran and what it returned; exceptionally if it
     *     threw, if the queue is full, or if the driver is closed before
     */
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what to do before the next tick");
        return parts.commands.offer(command);
    }

    /**
     * Lets something be looked up within {@link #runDueTicks()}, after the next tick has been published, or at once there if slow
     * motion makes that more than 20 ms away or time stands still: then what is seen is the tick that was published last, and what
     * commands have done since. Any thread.
     *
     * @param query what to look up
     * @param <T>   what comes of it
     * @return is completed, by the thread that runs the ticks, with the tick whose state was asked and what the query returned;
     *     exceptionally if it threw, if the queue is full, or if the driver is closed before
     */
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        Objects.requireNonNull(query, "query must not be null; pass what to look up between two ticks");
        return parts.queries.offer(query);
    }

    /**
     * Reserves the id of a body and lets it be made as {@link #command} does. Any thread. The id may be used at once in later
     * commands of the same thread: they run after this one.
     *
     * @param command what makes the body
     * @param <T>     what comes of it
     * @return the id, and what {@link #command} would return; where all places of the queue are taken or the driver was
     *     closed, an id that no body ever has
     * @throws IllegalStateException if the simulation counts its bodies with {@code bodyCount}, or if there are too many. Before
     *                               its first capture that is not known: then the future is completed with this exception,
     *                               even if the command ran
     */
    public <T> Spawned<T> spawn(SpawnCommand<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what makes the body");
        return parts.spawner.spawn(command);
    }

    /** Lets simulated time stand still at the end of the next tick, however far away slow motion makes it. */
    public void pause() {
        parts.time.pause();
    }

    /** Lets simulated time go on from the next call of {@link #runDueTicks()}. */
    public void resume() {
        parts.time.resume();
    }

    /** Lets one tick pass, at the speed set, and then time stand still. */
    public void step() {
        parts.time.step();
    }

    /**
     * Sets how fast simulated time runs, from the end of the next tick on.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no tick rate
     */
    public void timeScale(TimeScale scale) {
        parts.time.scale(scale);
    }

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if all readers the driver was built for are attached
     */
    public SnapshotReader newReader() {
        return parts.exchange.attach();
    }

    /**
     * Subscribes to what happens to bodies, from the next tick to begin on.
     *
     * @param capacity how many events wait at most, a power of two
     * @return a stream of events for one thread
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public EventStream events(int capacity) {
        return parts.events.subscribe(capacity);
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
     * Where a replay first led to another state than the recorded run did. Ticks go on after it.
     *
     * @return empty as long as all states are the same, and if nothing is replayed
     * @see PhysicsServiceBuilder#replay
     */
    public Optional<Divergence> divergence() {
        return parts.log.divergence();
    }

    /**
     * How long the ticks took, and how late they were run.
     *
     * @return the statistics since the start
     */
    public PhysicsStats stats() {
        return parts.stats;
    }

    /**
     * Closes the simulation and the input sources, and fails the commands and queries that did not run. Idempotent. Within a tick it
     * returns at once, that tick is the last, and {@link #runDueTicks()} closes what is to be closed when it has ended.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (!running) {
                end();
            }
        }
    }

    private void endRun() {
        running = false;
        if (closed) {
            end();
        }
    }

    private void end() {
        IllegalStateException ended = new IllegalStateException("this driver was closed");
        parts.commands.end(ended);
        parts.queries.end(ended);
        try (simulation;
                sources) {
            parts.log.close();
            parts.sources.closeSelected();
        }
    }

    private void begin() {
        try {
            parts.loop.begin();
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new IllegalStateException("the simulation could not begin: " + checked, checked);
        }
    }

    private void runTick() {
        long tick = parts.schedule.nextTick();
        try {
            parts.loop.runTick();
        } catch (RuntimeException | Error unchecked) {
            endRecording(tick, unchecked);
            throw unchecked;
        } catch (Exception checked) {
            endRecording(tick, checked);
            throw new IllegalStateException("tick " + tick + " failed: " + checked, checked);
        }
    }

    /** For the caller may go on with the same tick. */
    private void endRecording(long tick, Throwable thrown) {
        if (parts.schedule.nextTick() == tick) {
            parts.log.failed(tick, thrown);
        }
    }

    /** What comes at the end even after something has thrown, and whose own failure does not hide that. */
    private interface Ending extends AutoCloseable {

        @Override
        void close();
    }
}
