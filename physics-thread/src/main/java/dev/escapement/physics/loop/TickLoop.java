package dev.escapement.physics.loop;

import dev.escapement.physics.measure.RunStats;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.physics.schedule.TimeRequests;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.Reservations;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one simulation: runs its ticks. It starts no thread and never waits.
 *
 * <p>Its caller, a {@code Lifecycle} or an {@code InlineDriver}, decides which step is next:
 *
 * <pre>
 *   begin            once, before all others
 *   prepareNext      polls the source of the next tick, and moves the tick to its due time there
 *   runTick          when the next tick is due: read this first, it has a line for each step
 *   idle             while no tick is due, or time stands still: {@link IdleTime}
 *   close            once, at the end
 * </pre>
 *
 * <p>An exception ends a service. It ends a driver only if it leaves the run half ({@link RunState}); else the caller gets it, and the
 * driver continues.
 *
 * <p>Physics thread only, except {@link #lastPublishedTick()}, {@link #fault}, and the methods of the fields that their classes offer to
 * any thread; the thread that has abandoned the physics thread may call {@link #endTime}. Once all is warm, ticks allocate nothing.
 */
public final class TickLoop {

    public final Settings settings;
    public final Simulation simulation;
    public final NanoClock clock;
    public final UserCodeGuard guard = new UserCodeGuard();
    public final InputRing input;
    public final InputDevices devices;
    public final InputSampler sampler;
    public final Requests requests;
    public final TimeRequests time;
    public final TickSchedule schedule;
    public final Capture capture;
    final Reservations reservations;
    public final SnapshotExchange exchange;
    public final EventHub events = new EventHub();
    public final RunStats stats;
    public final Hooks hooks;
    public final TickSource source;

    /** Whether the simulation may be ticked by one thread after another. */
    public final boolean mayMove;

    public final IdleTime idle;

    final RunState state = new RunState();
    final SnapshotWriter writer;
    final TickRunner runner;
    final TickControl control;
    final RunningTick tick;
    private final UserCodeGuard.@Nullable Call<RuntimeException> move;
    final boolean isReplica;
    private final EventHub.Source contacts;
    private final UserCodeGuard.Call<RuntimeException> poll;
    private double budgetUsed;
    private long overrunNanos;
    private boolean begun;
    private boolean reportedQuarantined;
    private boolean reportedDivergence;

    /** The number of the next published tick minus that of the next simulation tick; see the table in the module's README. */
    private long publishedAhead;

    /** The simulation tick that runs, is re-simulated, or runs next. Hooks receive it as the tick of a fault. */
    long faultTick;

    /** Whether bodies were spawned or despawned since hooks last received {@code atRest}. */
    private boolean bodiesChanged;

    /**
     * Wakes the physics thread if time stands still. Called by any thread, after each request and after input that ends a wait. Volatile:
     * threads that hooks have started may call it before it is set.
     */
    private volatile Runnable wake = () -> {};

    /** Reads the processor time of the physics thread, if there is one. */
    private ThreadTimes threadTimes = ThreadTimes.notCounted();

    /**
     * The last published tick. Set (release) after the publish; pairs with the acquire in lastPublishedTick(), whose caller finds the
     * snapshot.
     */
    private final AtomicLong lastPublishedTick;

    public TickLoop(Settings settings, NanoClock clock, CommandQueue.Answers answers) {
        this.settings = settings;
        simulation = settings.simulation();
        this.clock = clock;
        input = new InputRing(settings.inputCapacity(), clock);
        devices = new InputDevices(settings.devices(), input, guard);
        sampler = new InputSampler(input);
        time = new TimeRequests(settings.rate());
        exchange = new SnapshotExchange(
                settings.windowSize(),
                settings.maxReaders(),
                settings.preallocatedBodies(),
                settings.rate(),
                settings.layout(),
                clock);
        writer = exchange.writer();
        capture = new Capture(simulation::capture, settings.layout(), settings.rate(), settings.preallocatedBodies());
        reservations = capture.reservations();
        schedule = new TickSchedule(settings.rate(), settings.lateTicks(), settings.firstTick());
        lastPublishedTick = new AtomicLong(settings.firstTick() - 1);
        stats = new RunStats(
                schedule, settings.name(), settings.windowSize(), settings.maxReaders(), settings.sharesThread());
        stats.addCounts(simulation::counts);
        hooks = new Hooks(settings.hooks(), guard, state);
        isReplica = settings.replicated() != null;
        contacts = simulation::events;
        tick = new RunningTick(simulation, settings.rate(), guard);
        requests = new Requests(this, answers);
        runner = new TickRunner(simulation, hooks, events, tick);
        // capability() may throw, so it comes before the source log is opened, which would have to be closed.
        Movable movable = simulation.capability(Movable.class).orElse(null);
        move = movable == null ? null : movable::moveToCallingThread;
        mayMove = move != null;
        control = new TickControl(this);
        source = settings.replicated() == null
                ? new OfferedInput(sampler)
                : settings.replicated().open(simulation);
        poll = source::poll;
        idle = new IdleTime(this);
        try {
            hooks.attach(control); // last: a refusal after it would have to end the hooks
            requests.handlers.seal();
        } catch (Throwable refused) {
            FirstFailure.closeReporting(source, refused::addSuppressed);
            throw refused;
        }
    }

    /** Sets what wakes the physics thread while time stands still. */
    public void wakeBy(Runnable newWake) {
        wake = newWake;
    }

    public void wake() {
        wake.run();
    }

    /** Calls {@link Simulation#begin()}, which binds the simulation to this thread, unless it was called before. */
    public void begin() throws Exception {
        if (!begun) {
            guard.call(simulation::begin);
            begun = true; // only after begin() has returned: it must succeed before any other call
            faultTick = lastSimulationTick() + 1;
            control.letReplace(hooks::begun);
        }
    }

    /** Rebinds the loop to the calling thread. {@code newTimes} reads that thread's processor time. */
    public void moveTo(ThreadTimes newTimes) {
        threadTimes = newTimes;
        if (begun) {
            writer.moveToCallingThread();
            guard.call(Objects.requireNonNull(move, "a simulation that does not move has one thread"));
        }
    }

    /** Runs the next tick now, whether or not it is due. */
    public void runTick() throws Exception {
        beginTick();
        devices.poll();
        if (isReplica) {
            control.beginReplicatedTick();
        }
        runCommands();
        step();
        Snapshot before = writer.latest();
        WritableSnapshot captured = capture(writer.nextSnapshot());
        endTick();
        publish(tick.publishedTick(), tick.publishedNanos);
        deliverEvents(before, captured);
        rest();
        requests.runQueries(lastSimulationTick());
        measure();
    }

    private void beginTick() {
        state.begin(); // until publish()
        faultTick = lastSimulationTick() + 1;
        tick.startedNanos = clock.nanoTime();
        stats.begin(tick.startedNanos - schedule.nextDueNanos(), threadTimes);
    }

    /** Lets hooks replace the state and runs the waiting commands, before the next tick. Returns whether the world may have changed. */
    boolean runCommands() throws Exception {
        faultTick = lastSimulationTick() + 1;
        boolean isReplaced = !hooks.isEmpty() && control.letHooksReplace();
        boolean mayHaveChanged = requests.runCommands(faultTick) || isReplaced;
        state.requireUnbroken();
        return mayHaveChanged;
    }

    private void step() throws Exception {
        long number = schedule.nextPublishedTick();
        tick.begin(number, faultTick, schedule.timeline().resumeNanos(number - 1), schedule.nextDueNanos());
        runner.runToStep(source, budgetUsed);
        tick.steppedNanos = clock.nanoTime();
        runner.finishStep(source);
        if (isReplica) {
            guard.enter();
            reportDivergence();
            guard.exit();
        }
    }

    /** Reports the first tick whose state differs from that in the source log. Call it within user code. */
    private void reportDivergence() {
        if (!reportedDivergence && source.divergence().isPresent()) {
            reportedDivergence = true;
            String found = source.divergence().get().toString();
            hooks.fault(TickHook.Fault.Reason.DIFFERED, faultTick, null, found);
        }
    }

    private WritableSnapshot capture(WritableSnapshot snapshot) throws Exception {
        snapshot.startTick(tick.publishedTick(), tick.dueNanos());
        capture(snapshot, tick.number());
        return snapshot;
    }

    /** Captures the world after a simulation tick into the snapshot of a published tick. */
    void capture(WritableSnapshot snapshot, long simulationTick) throws Exception {
        snapshot.simulationTick(simulationTick);
        snapshot.inputsTaken(source.inputsTaken());
        guard.enter();
        capture.captureInto(snapshot, writer.latest());
        requests.captured();
        guard.exit();
        bodiesChanged |= capture.bodiesChanged();
        if (!reportedQuarantined && capture.quarantinedPoses() > 0) {
            reportedQuarantined = true;
            String which = capture.firstQuarantined();
            guard.call(() -> reportQuarantined(simulationTick, which)); // guarded, because a hook or a logger may hang
        }
        if (settings.checksums()) {
            snapshot.seal();
        }
    }

    private void reportQuarantined(long simulationTick, String which) {
        hooks.fault(TickHook.Fault.Reason.NOT_FINITE, simulationTick, null, which);
        FailureReport.warn(() -> "Thread '" + Thread.currentThread().getName() + "' has captured a value that is not"
                + " finite, a position beyond 1e18 m, or a rotation that is not normalised: " + which
                + ". Readers see the last good one, for as long as it is so."
                + " It is the first; those after it are only counted, in quarantinedPoses().");
    }

    /** Ends the tick in the schedule, which may skip time, slow it down, change its speed or pause it. */
    private void endTick() {
        long nanos = clock.nanoTime();
        long workNanos = tick.publishedAt(nanos);
        budgetUsed = (double) (nanos - tick.startedNanos) / schedule.periodNanos();
        overrunNanos = nanos - schedule.timeline().dueNanos(tick.publishedTick() + 1);
        schedule.finish(nanos, workNanos);
        schedule.scale(scale());
        // Called even if the source stands still, because each tick counts against the requested steps.
        boolean ends = time.endTick();
        if (source.standsStill()) {
            // From the due time of the tick, so that the pause skips nothing.
            schedule.pause(schedule.timeline().dueNanos(tick.publishedTick()));
        } else if (ends) {
            schedule.pause(nanos);
        }
    }

    TimeScale scale() {
        return source.scale(time.requestedScale());
    }

    /** Publishes the snapshot that was captured, with the timeline after its tick. Then the run is whole. */
    void publish(long publishedTick, long nanos) {
        writer.publish(schedule.timeline(), nanos);
        lastPublishedTick.setRelease(publishedTick);
        state.end(false);
    }

    /**
     * Collects and delivers the events of a tick. Call it after publishing, so that readers can see the tick of every event. The writer has
     * not overwritten the snapshot {@code before} yet, because a window has at least two snapshots. If the simulation throws, streams still
     * receive the events that it reported before.
     */
    private void deliverEvents(@Nullable Snapshot before, Snapshot captured) throws Exception {
        guard.enter();
        try {
            events.collect(before, captured, contacts);
        } finally {
            guard.exit(); // throws if this thread was abandoned meanwhile: then no stream receives its events
            events.deliver();
        }
    }

    private void rest() {
        hooks.atRest(tick.number(), bodiesChanged);
        bodiesChanged = false;
    }

    private void measure() {
        stats.ticked(tick, overrunNanos, writer.delaySpreadNanos(), input.rejected(), requests.refused());
        hooks.published(tick);
        tick.endedNanos = clock.nanoTime();
        stats.ended(tick.endedNanos, requests.takeExecuted(), threadTimes);
    }

    /**
     * Prepares the next tick: unless time is paused, moves it to its due time in its source. Returns false while the source does not have
     * it.
     */
    public boolean prepareNext() {
        if (!source.isReady()) {
            guard.call(poll);
        }
        boolean ready = source.isReady();
        if (ready && !schedule.isPaused()) {
            schedule.moveNext(source.nextTick(schedule.nextPublishedTick()), source.dueNanos(schedule.nextDueNanos()));
        }
        return ready;
    }

    /**
     * Whether requests are served before the next tick: that tick {@linkplain TickSchedule#isFar is far away}, or its source does not have
     * it yet and it is not due within 20 ms.
     */
    public boolean isFar(long nowNanos) {
        return schedule.isFar(nowNanos)
                || (!source.isReady() && schedule.nextDueNanos() - nowNanos > 2 * TickSchedule.LOOK_NANOS);
    }

    /** Polls the source, which may not have the next tick yet. */
    void pollSource() {
        guard.call(poll);
    }

    long lastSimulationTick() {
        return schedule.nextPublishedTick() - 1 - publishedAhead;
    }

    /** Continues after a simulation tick, because its state was restored; readers count on. */
    void continueAfter(long simulationTick) {
        publishedAhead = schedule.nextPublishedTick() - 1 - simulationTick;
        faultTick = simulationTick + 1;
    }

    /**
     * Passes hooks the exception of the tick that runs. Any thread; {@link TickHook.Fault.Reason#THREW} comes from the thread that ticks,
     * which first reports a divergence that hooks have not received: the source may have failed because of it.
     */
    public void fault(TickHook.Fault.Reason reason, Throwable thrown) {
        if (isReplica && reason == TickHook.Fault.Reason.THREW) {
            reportDivergence();
        }
        hooks.fault(reason, faultTick, thrown, "");
    }

    /** Whether an exception has left the run half, so that nothing may run on the simulation any more. */
    public boolean isHalf() {
        return state.isHalf();
    }

    public TickRate rate() {
        return settings.rate();
    }

    /** The last published tick; before the first, one less than its number. Any thread. */
    public long lastPublishedTick() {
        return lastPublishedTick.getAcquire();
    }

    /** Ends simulated time at the close of the run, or now if it was not closed. Overdue ticks count as skipped. */
    public void endTime() {
        schedule.end(clock.nanoTime());
        stats.slowed();
    }

    /**
     * Closes the source of the ticks, the devices and the simulation, and ends the hooks, also after one of them has thrown. Call it once,
     * at the end, on the thread that ticked, even if it was abandoned, because native memory may belong to it. Allocates nothing, because
     * memory may have run out.
     *
     * @param failed         takes their exceptions
     * @param ownsSimulation false if another service ticks the simulation, which then stays open
     */
    public void close(Consumer<Throwable> failed, boolean ownsSimulation) {
        FirstFailure.closeReporting(source, failed);
        devices.closePolled(failed);
        devices.close(failed);
        if (ownsSimulation) {
            FirstFailure.closeReporting(simulation, failed);
        }
        hooks.end(failed);
    }
}
