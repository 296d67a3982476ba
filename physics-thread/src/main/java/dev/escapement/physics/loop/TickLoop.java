package dev.escapement.physics.loop;

import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.request.TimeRequests;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputRing.PausedListener;
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
 * The loop of one simulation: runs its ticks, and serves requests between them. It starts no thread and never waits.
 *
 * <p>Its caller, a {@code Lifecycle} or an {@code InlineDriver}, decides which step is next:
 *
 * <pre>
 *   begin            once, before all others
 *   prepareNext      polls the source of the next tick, and moves the tick to its due time there
 *   runTick          when the next tick is due: read this first, it has a line for each step
 *   runBetweenTicks  while the next tick is far away, or its source does not have it yet
 *   runPaused        while time stands still
 *   runBetweenSteps  when a host in lock step asks for it
 *   close            once, at the end
 * </pre>
 *
 * <p>An exception ends a service. It ends a driver only if it comes between the start of a tick and its publish, or leaves the state half
 * restored; else the caller gets it, and the driver continues.
 *
 * <p>Physics thread only, except {@link #lastPublished()}, {@link #fault}, and the methods of the fields that their classes offer to any
 * thread; the thread that has abandoned the physics thread may call {@link #endTime}. Once all is warm, ticks allocate nothing.
 */
public final class TickLoop {

    public final SnapshotExchange exchange;
    public final EventHub events = new EventHub();
    public final InputRing input;
    public final InputDevices devices;
    public final InputSampler sampler;
    public final Requests requests;
    public final TimeRequests time;
    public final TickSchedule schedule;
    public final Capture capture;
    public final TickMeters meters;
    public final UserCodeGuard guard = new UserCodeGuard();
    public final Hooks hooks;
    public final Settings settings;
    public final Simulation simulation;
    public final NanoClock clock;

    public final TickControl control;

    public final TickSource source;

    /** Whether the simulation may be ticked by one thread after another. */
    public final boolean mayMove;

    private final UserCodeGuard.@Nullable Call<RuntimeException> move;
    private final SnapshotWriter writer;
    private final EventHub.Source contacts;
    final TickRunner runner;
    private final UserCodeGuard.Call<RuntimeException> pollSource;
    private final @Nullable PausedListener pausedInput;
    private final MeasuredTimes times;
    private final boolean checksums;
    private double budgetUsed;
    private boolean begun;
    private long inputsBefore;
    private boolean reportedQuarantined;
    private boolean reportedDivergence;

    /** The readers' number of a tick minus the simulation's number. */
    private long tickOffset;

    /** The tick that runs, is re-simulated, or runs next. Hooks receive it as the tick of a fault. */
    long runningTick;

    /** True from the start of a tick until its publish. Set first, so that it is right also after a StackOverflowError. */
    public boolean isHalf;

    /** Whether bodies were spawned or despawned since hooks last received {@code atRest}. */
    private boolean bodiesChanged;

    /**
     * Wakes the physics thread if time stands still. Called by any thread, after each request and after input that ends a wait. Volatile:
     * threads that hooks have started may call it before it is set.
     */
    public volatile Runnable wake = () -> {};

    /** Reads the processor time of the physics thread, if there is one. The physics thread sets it, before the first tick. */
    ThreadTimes threadTimes = ThreadTimes.notCounted();

    /**
     * The last published tick. Set (release) after the publish; pairs with the acquire in lastPublished(), whose caller finds the snapshot.
     */
    private final AtomicLong lastPublished;

    public TickLoop(Settings settings, NanoClock clock, CommandQueue.Answers answers) {
        this.settings = settings;
        simulation = settings.simulation;
        this.clock = clock;
        checksums = settings.checksums;
        input = new InputRing(settings.inputCapacity, clock);
        devices = new InputDevices(settings.devices(), input, guard);
        sampler = new InputSampler(input);
        time = new TimeRequests(settings.rate);
        exchange = new SnapshotExchange(
                settings.windowSize,
                settings.maxReaders,
                settings.preallocatedBodies,
                settings.rate,
                settings.layout,
                clock);
        writer = exchange.writer();
        capture = new Capture(simulation::capture, settings.layout, settings.rate, settings.preallocatedBodies);
        schedule = new TickSchedule(settings.rate, settings.lateTicks(), settings.firstTick);
        lastPublished = new AtomicLong(settings.firstTick - 1);
        times = new MeasuredTimes();
        meters = new TickMeters(settings);
        meters.stats.addCounts(settings.simulation::counts);
        hooks = new Hooks(settings.hooks, guard);
        contacts = simulation::events;
        pausedInput = guarded(settings.pausedInput, guard);
        ExecutedCommands ran = new ExecutedCommands();
        requests = new Requests(settings, capture, answers, hooks, ran, () -> wake.run());
        runner = new TickRunner(simulation, settings.rate, hooks, events, ran);
        // capability() may throw, so it comes before the source log is opened, which would have to be closed.
        Movable movable = simulation.capability(Movable.class).orElse(null);
        move = movable == null ? null : movable::moveToCallingThread;
        mayMove = move != null;
        control = new TickControl(this);
        source = settings.followed == null ? new OfferedInput(sampler) : settings.followed.open(simulation);
        pollSource = source::poll;
        try {
            hooks.begin(control); // last: a refusal after it would have to end the hooks
            requests.handlers.seal();
        } catch (Throwable refused) {
            FirstFailure.closeReporting(source, refused::addSuppressed);
            throw refused;
        }
    }

    private static @Nullable PausedListener guarded(@Nullable PausedListener listener, UserCodeGuard guard) {
        return listener == null
                ? null
                : (event, state) -> {
                    guard.enter();
                    listener.happened(event, state);
                    guard.exit();
                };
    }

    /** Calls {@link Simulation#begin()}, which binds the simulation to this thread, unless it was called before. */
    public void begin() throws Exception {
        if (!begun) {
            guard.call(simulation::begin);
            begun = true; // only after begin() has returned: it must succeed before any other call
            control.start();
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
        isHalf = true;
        runningTick = lastTick() + 1;
        times.begin(clock.nanoTime(), schedule);
        meters.begin(times, threadTimes);
        devices.poll();
        if (follows()) {
            control.letSourceSeek();
        }
        serve();
        if (follows()) {
            dropInput();
        }
        Tick tick =
                runner.runToStep(source, times.tick, runningTick, times.fromNanos, times.dueNanos, budgetUsed, true);
        times.steppedNanos = clock.nanoTime();
        runner.finishStep(source);
        if (hasUnreportedDivergence()) {
            guard.call(this::reportDivergence);
        }
        Snapshot before = writer.latest();
        WritableSnapshot written = writer.nextSnapshot();
        written.startTick(times.tick, times.dueNanos);
        capture(written, tick.number());
        publish(tick);
        deliverEvents(before, written);
        hooks.atRest(tick.number(), bodiesChanged);
        bodiesChanged = false;
        run(requests.queries, tick.number());
        meters.ticked(times, schedule, writer.delaySpreadNanos(), input.rejected(), requests.refused());
        hooks.published(times);
        times.endedNanos = clock.nanoTime();
        meters.ended(times, requests.takeRan(), threadTimes);
    }

    /** Lets hooks seek and runs the waiting commands, before the next tick. Returns whether the world may have changed. */
    private boolean serve() throws Exception {
        runningTick = lastTick() + 1;
        control.hasReplacedState = false;
        control.letHooksSeek();
        boolean ran = run(requests.commands, runningTick);
        control.requireWhole();
        return ran || control.hasReplacedState;
    }

    private boolean hasUnreportedDivergence() {
        return follows() && !reportedDivergence && source.divergence().isPresent();
    }

    /** Reports the first tick whose state differs from that in the source log. Call it within user code. */
    private void reportDivergence() {
        reportedDivergence = true;
        String found = source.divergence().map(Object::toString).orElse("");
        hooks.fault(TickFault.Reason.DIFFERED, runningTick, null, found);
    }

    /** Runs the waiting commands of a queue as one call of user code, because most are short. Returns whether any ran. */
    private boolean run(CommandQueue queue, long tick) {
        if (queue.isIdle()) {
            return false;
        }
        guard.enter();
        boolean ran = queue.run(tick);
        guard.exit();
        return ran;
    }

    private void capture(WritableSnapshot snapshot, long simulationTick) throws Exception {
        snapshot.simulationTick(simulationTick);
        snapshot.inputsTaken(source.inputsTaken());
        guard.enter();
        capture.captureInto(snapshot, writer.latest());
        requests.captured();
        guard.exit();
        bodiesChanged |= capture.bodiesChanged();
        if (!reportedQuarantined && capture.quarantinedPoses() > 0) {
            reportedQuarantined = true;
            String which = capture.firstQuarantined(snapshot);
            guard.call(() -> reportQuarantined(simulationTick, which)); // guarded, because a hook or a logger may hang
        }
        if (checksums) {
            snapshot.seal();
        }
    }

    private void reportQuarantined(long tick, String which) {
        hooks.fault(TickFault.Reason.NOT_FINITE, tick, null, which);
        FailureReport.warn(() -> "Thread '" + Thread.currentThread().getName() + "' has captured a value that is not"
                + " finite, a position beyond 1e18 m, or a rotation that is not normalised: " + which
                + ". Readers see the last good one, for as long as it is so."
                + " It is the first; those after it are only counted, in quarantinedPoses().");
    }

    /**
     * Collects and delivers the events of a tick. Call it after publishing, so that readers can see the tick of every event. The writer has
     * not overwritten the snapshot {@code before} yet, because a window has at least two snapshots. If the simulation throws, streams still
     * receive the events that it reported before.
     */
    private void deliverEvents(@Nullable Snapshot before, Snapshot written) throws Exception {
        guard.enter();
        try {
            events.collect(before, written, contacts);
        } finally {
            guard.exit(); // throws if this thread was abandoned meanwhile: then no stream receives its events
            events.deliver();
        }
    }

    /** Publishes the snapshot, and the timeline after this tick, which may skip time, pause or change speed. */
    private void publish(Tick tick) {
        long nanos = clock.nanoTime();
        times.publishing(nanos, tick.number(), schedule);
        budgetUsed = (double) (nanos - times.startedNanos) / schedule.periodNanos();
        schedule.finish(nanos, times.workNanos);
        schedule.scale(scale());
        // Called even if the source stands still, because each tick counts against the requested steps.
        boolean ends = time.endTick();
        if (source.standsStill()) {
            // From the due time of the tick, so that the pause skips nothing.
            schedule.pause(schedule.timeline().dueNanos(times.tick));
        } else if (ends) {
            schedule.pause(nanos);
        }
        writer.publish(schedule.timeline(), nanos);
        lastPublished.setRelease(times.tick);
        isHalf = false;
    }

    private TimeScale scale() {
        return source.scale(time.scale());
    }

    /**
     * Whether requests are served before the next tick: that tick {@linkplain TickSchedule#isFar is far away}, or its source does not have
     * it yet and it is not due within 20 ms.
     */
    public boolean isFar(long nowNanos) {
        return schedule.isFar(nowNanos)
                || (!source.isReady() && schedule.nextDueNanos() - nowNanos > 2 * TickSchedule.LOOK_NANOS);
    }

    /**
     * Prepares the next tick: unless time is paused, moves it to its due time in its source. Returns false while the source does not have
     * it.
     */
    public boolean prepareNext() {
        if (!source.isReady()) {
            guard.call(pollSource);
        }
        boolean ready = source.isReady();
        if (ready && !schedule.isPaused()) {
            schedule.moveNext(source.nextTick(schedule.nextTick()), source.dueNanos(schedule.nextDueNanos()));
        }
        return ready;
    }

    /**
     * Serves requests while time stands still, and publishes their changes; resumes time if that was requested. Returns whether more
     * requests wait.
     */
    public boolean runPaused() throws Exception {
        devices.poll();
        dropInput();
        boolean mayHaveChanged = serve();
        capture.freeReleased();
        boolean ready = prepareNext(); // even in a pause: the source may fail meanwhile
        boolean resumes = ready && time.mayResume(); // then the next tick publishes the changes
        if (mayHaveChanged && !resumes && !follows()) {
            publishWithoutStep();
        }
        run(requests.queries, lastTick());
        if (resumes) {
            resume();
        }
        return requests.hasMore();
    }

    /**
     * Whether a pause must look again soon: for its hooks, devices, listener or source, or because input has come since the last look. If
     * not, the next request or input event calls {@link #wake}.
     */
    public boolean looksInPause() {
        long before = inputsBefore;
        inputsBefore = input.accepted();
        boolean looks = follows() || !hooks.isEmpty() || !devices.isEmpty() || pausedInput != null;
        return looks || inputsBefore != before || !input.wakeAtNext(wake); // else each move of a pointer would wake
    }

    /**
     * Serves requests between two steps of a host in lock step, and publishes their changes. Publishes in any case until readers have a
     * first window.
     */
    public void runBetweenSteps() throws Exception {
        boolean mayHaveChanged = serve();
        if ((mayHaveChanged || lacksWindow()) && !follows()) {
            publishWithoutStep();
        }
        run(requests.queries, lastTick());
    }

    /**
     * Publishes the world without a step: as the next tick of readers, with the last tick of the simulation. Repeats that until readers
     * have a first window.
     */
    private void publishWithoutStep() throws Exception {
        do {
            isHalf = true;
            Snapshot before = writer.latest();
            long simulationTick = lastTick();
            long number = schedule.nextTick();
            WritableSnapshot written = writer.nextSnapshot();
            written.startTick(number, schedule.standAtNextTick(clock.nanoTime()));
            written.markUnstepped();
            tickOffset++;
            capture(written, simulationTick);
            writer.publish(schedule.timeline(), clock.nanoTime());
            lastPublished.setRelease(number);
            isHalf = false;
            events.collectLifecycles(before, written);
            events.deliver();
        } while (lacksWindow());
    }

    private boolean lacksWindow() {
        return schedule.nextTick() < settings.firstTick + settings.windowSize;
    }

    private void resume() {
        schedule.scale(scale());
        long tickNanos = scale().times(rate()).nanosAt(1);
        schedule.resume(source.dueNanos(clock.nanoTime() + tickNanos) - tickNanos);
        writer.publishTimeline(schedule.timeline());
    }

    public void runBetweenTicks() throws Exception {
        devices.poll();
        if (follows()) {
            dropInput();
        }
        guard.call(pollSource);
        serve();
        if (writer.latest() != null) {
            run(requests.queries, lastTick());
        }
    }

    /** Takes the input that no tick gets: while time stands still, or if the run follows another one. */
    private void dropInput() {
        sampler.drainWhilePaused(clock.nanoTime(), pausedInput);
    }

    boolean follows() {
        return settings.followed != null;
    }

    long lastTick() {
        return schedule.nextTick() - 1 - tickOffset;
    }

    void continueAfter(long tick) {
        tickOffset = schedule.nextTick() - 1 - tick;
        runningTick = tick + 1;
    }

    /**
     * Passes hooks the exception of the tick that {@linkplain #runningTick runs}. Any thread; {@link TickFault.Reason#THREW} comes from the
     * thread that ticks, which first reports a divergence that hooks have not received: the source may have failed because of it.
     */
    public void fault(TickFault.Reason reason, Throwable thrown) {
        if (reason == TickFault.Reason.THREW && hasUnreportedDivergence()) {
            reportDivergence();
        }
        hooks.fault(reason, runningTick, thrown, "");
    }

    public TickRate rate() {
        return schedule.timeline().rate();
    }

    /** The last published tick, as readers count; before the first, one less than its number. Any thread. */
    public long lastPublished() {
        return lastPublished.getAcquire();
    }

    /** Ends simulated time at the close of the run, or now if it was not closed. Overdue ticks count as skipped. */
    public void endTime() {
        schedule.end(clock.nanoTime());
        meters.slowed(schedule);
    }

    /**
     * Closes the source of the ticks, the devices and the simulation, and ends the hooks, also after one of them has thrown. Call it once,
     * at the end, on the thread that ticked, even if it was abandoned, because native memory may belong to it. Allocates nothing, because
     * memory may have run out.
     *
     * @param failed takes their exceptions
     */
    public void close(Consumer<Throwable> failed) {
        FirstFailure.closeReporting(source, failed);
        devices.closePolled(failed);
        devices.close(failed);
        FirstFailure.closeReporting(simulation, failed);
        hooks.end(failed);
    }

    /**
     * The source of ticks if the run follows no other one: they take the input that was offered to this service. In slow motion {@link
     * #poll} drains the ring before the tick is due, so that the ring does not fill up.
     */
    private record OfferedInput(InputSampler sampler) implements TickSource {

        @Override
        public void poll() {
            sampler.drainRing();
        }

        @Override
        public InputFrame input(long fromNanos, long dueNanos) {
            return sampler.sample(fromNanos, dueNanos);
        }

        @Override
        public long inputsTaken() {
            return sampler.taken();
        }
    }
}
