package dev.escapement.physics;

import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.request.TimeRequests;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ticks one simulation, on a physics thread or in the caller's own loop: runs commands, samples the input, steps, captures, publishes, and
 * notifies listeners. Starts no thread and never waits.
 *
 * <p>One thread, except {@link #lastTick()}, {@link #divergence()}, {@link #endRecording} and some fields. Ticks allocate nothing.
 */
final class TickLoop {

    final SnapshotExchange exchange;
    final EventHub events = new EventHub();
    final InputRing input;
    final InputSources sources;
    final InputSampler sampler;
    final Requests requests;
    final TimeRequests time;
    final TickSchedule schedule;
    final Capture capture;
    final TickMeters meters;
    final UserCodeGuard guard = new UserCodeGuard();

    final Settings settings;
    final Simulation simulation;
    final NanoClock clock;
    final Rewinder rewinder;

    /** Where the ticks come from, unless {@link #source} repeats some. */
    final TickSource origin;

    /** Where the next tick comes from: after going back, perhaps from the past. */
    TickSource source;

    final UserCode userCode;
    private final @Nullable PausedInputListener pausedInput;
    private final @Nullable TickRecorder recorder;
    final TickObserver observer;

    /** Whether the state is hashed after each tick: for a recording, or to compare it with that of a run that is followed. */
    private final boolean hashesStates;

    final SnapshotWriter writer;
    private final Tick tick;
    final TickTimes times = new TickTimes();
    private final double periodNanos;
    private double budgetUsed;
    private boolean begun;
    private boolean reportedDivergence;

    /** The tick that was taken last. If it fails, it may run again: its source has moved on, and its commands have run. */
    private long taken;

    private boolean takenAgain;

    /** The last tick that was published. Set (release) after that: a thread that reads it (acquire) finds the snapshot with a reader. */
    private final AtomicLong lastTick;

    TickLoop(Settings settings, NanoClock clock, CommandQueue.Answers answers) {
        settings.freeze();
        this.settings = settings;
        simulation = settings.simulation;
        this.clock = clock;
        input = new InputRing(settings.inputCapacity, clock);
        sources = new InputSources(settings.sources, input, guard);
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
        schedule = new TickSchedule(settings.rate, settings.lateTicks, settings.firstTick);
        lastTick = new AtomicLong(settings.firstTick - 1);
        meters = new TickMeters(settings.name);
        observer = settings.observer;
        userCode = new UserCode(guard, simulation, settings.listener, observer);
        pausedInput = UserCode.guarded(settings.pausedInput, guard);
        tick = new Tick(settings.rate);
        periodNanos = tick.dtSeconds() * 1e9;
        TickSource.Run run = settings.run;
        origin = run == null ? new LiveTicks(sampler) : run.open(simulation);
        source = origin;
        recorder = settings.recorder;
        hashesStates = run != null || recorder != null;
        try {
            requests = new Requests(settings, capture, answers, guard);
            rewinder = new Rewinder(this);
            if (recorder != null) { // late, because it is not ended here
                recorder.begin(simulation, settings.rate, settings.mayWaitForDisk);
            }
            observer.begin(simulation, settings.rate); // last, because nothing is refused after this
        } catch (RuntimeException | Error refused) {
            try (origin) {
                throw refused;
            }
        }
    }

    /** Calls {@link Simulation#begin()}, which binds the simulation to this thread, unless it was called before. */
    void begin() throws Exception {
        if (!begun) {
            userCode.begin();
            userCode.start(rewinder);
            begun = true; // only if it did not throw: begin() must succeed before any other call
        }
    }

    /** Runs the next tick now, whether or not it is due. */
    void runTick() throws Exception {
        rewinder.beginTick();
        try {
            runWholeTick();
        } finally {
            rewinder.endTick();
        }
    }

    private void runWholeTick() throws Exception {
        meters.begin();
        times.startedNanos = clock.nanoTime();
        long number = schedule.nextTick();
        long dueNanos = schedule.nextDueNanos();
        times.tick = number;
        times.dueNanos = dueNanos;
        pollDevices();
        rewinder.rollback.run();
        takenAgain = taken == number;
        if (!takenAgain) {
            take(number);
        }
        if (runCommands(number)) {
            takenAgain = false;
            take(number); // another one: the run went back
            if (source != origin) {
                dropInput();
            }
        }
        // After the commands: the later, the more of the input that is due has come.
        long fromNanos = schedule.timeline().resumeNanos(number - 1);
        InputFrame sampled = source.input(fromNanos, dueNanos);
        boolean eventsWanted = events.beginTick(source.eventsWanted());
        tick.set(rewinder.simulated(number), dueNanos, source.budgetUsed(budgetUsed), sampled, eventsWanted);
        rewinder.sampled(tick, fromNanos);
        userCode.beginTick(tick);
        userCode.step(tick);
        times.steppedNanos = clock.nanoTime();
        record(tick, takenAgain || requests.localRan());
        Snapshot before = writer.latest();
        Snapshot written = capture(number, dueNanos, before);
        times.publishedNanos = clock.nanoTime();
        times.overrunNanos = times.publishedNanos - schedule.timeline().dueNanos(number + 1);
        publish(times.publishedNanos);
        budgetUsed = (times.publishedNanos - times.startedNanos) / periodNanos;
        deliverEvents(before, written);
        requests.commands.settle();
        userCode.published(rewinder, tick.number(), capture.bodiesChanged());
        userCode.run(requests.queries, tick.number());
        meters.refused(number, input.rejected(), requests.refused());
        meters.ticked(times, schedule);
        userCode.ticked(times, rewinder.takeUntold());
        userCode.endTick(tick.number(), times.publishedNanos - times.startedNanos);
        meters.ended(clock.nanoTime(), requests.takeRan(), events.count(), tick.input());
    }

    private void take(long number) throws IOException {
        userCode.take(source, number);
        rewinder.taken(source, number);
        long simulated = rewinder.simulated(number);
        taken = number;
        requests.noteRepeated(simulated, source.commands(), source.localRan());
        userCode.repeat(source);
    }

    /** Runs commands before a tick that is yet to be published. Returns whether one of them has let the run go back. */
    private boolean runCommands(long number) {
        userCode.correct(rewinder);
        userCode.run(requests.commands, rewinder.simulated(number));
        boolean went = rewinder.wentBack();
        if (went) {
            taken = 0; // another one is next, also if this one has failed
        }
        return went;
    }

    /** No tick gets the input that is offered here while a run is followed, or the past runs again. */
    private void pollDevices() {
        sources.poll();
        if (settings.run != null || source != origin) {
            dropInput();
        }
    }

    /** Records a tick that was stepped, and compares it with that of the run that is followed. */
    void record(Tick stepped, boolean localRan) {
        if (hashesStates) {
            long stateHash = userCode.stateHash();
            userCode.compare(source, stateHash);
            reportDivergence();
            if (recorder != null) {
                userCode.record(recorder, stepped, requests.ran, requests.localRan(), stateHash);
            }
        }
        rewinder.stepped(stepped, localRan);
        requests.forgetRan();
    }

    private void reportDivergence() {
        Optional<Divergence> divergence = source.divergence();
        if (divergence.isPresent() && !reportedDivergence) {
            reportedDivergence = true;
            observer.fault(new TickFault(
                    TickFault.Reason.DIFFERED,
                    tick.number(),
                    null,
                    divergence.get().toString()));
        }
    }

    private Snapshot capture(long number, long dueNanos, @Nullable Snapshot latest) throws Exception {
        WritableSnapshot snapshot = writer.nextSnapshot();
        snapshot.startTick(number, dueNanos);
        snapshot.simulationTick(tick.number());
        snapshot.inputsTaken(origin.inputsTaken());
        userCode.write(capture, snapshot, latest);
        if (settings.checksums) {
            snapshot.seal();
        }
        return snapshot;
    }

    /** Publishes the snapshot with the timeline after this tick, which has skipped time, pauses and changes of speed. */
    private void publish(long nanos) {
        schedule.finish(nanos);
        schedule.scale(scale());
        if (source.standsStill()) {
            schedule.pause(schedule.timeline().dueNanos(schedule.nextTick() - 1)); // a late follower skips nothing
        } else if (time.endTick()) {
            schedule.pause(nanos);
        }
        writer.publish(schedule.timeline(), nanos);
        lastTick.setRelease(schedule.nextTick() - 1);
        if (source != origin && !source.isReady()) {
            source = origin; // here, because what comes after this may throw
        }
    }

    private TimeScale scale() {
        return source.scale(time.scale());
    }

    /** Whether the next tick is so far away that requests are served before it: in slow motion, or if its source does not have it yet. */
    boolean isFar(long nowNanos) {
        return schedule.isFar(nowNanos)
                || (!source.isReady() && schedule.nextDueNanos() - nowNanos > 2 * TickSchedule.LOOK_NANOS);
    }

    /**
     * Prepares the next tick: false while its source does not have it yet. Unless time is paused, moves the tick to when the source says
     * that it is due.
     */
    boolean prepareNext() {
        if (taken == schedule.nextTick()) {
            return true; // it has failed, and is to run again
        }
        if (!source.isReady()) {
            userCode.poll(source);
        }
        boolean ready = source.isReady();
        if (ready && !schedule.isPaused()) {
            schedule.moveNext(source.nextTick(schedule.nextTick()), source.dueNanos(schedule.nextDueNanos()));
        }
        return ready;
    }

    /**
     * Collects and delivers events. After publishing, so that readers can see the tick of every event. The snapshot of the tick before is
     * not overwritten yet, because a window has at least two.
     */
    private void deliverEvents(@Nullable Snapshot before, Snapshot written) throws Exception {
        try {
            userCode.collect(events, before, written);
        } finally {
            if (!guard.isAbandoned()) { // then nothing of this thread is seen any more
                events.deliver();
            }
        }
    }

    /** Serves requests while time stands still, and resumes time if that was requested. Returns whether more requests are waiting. */
    boolean runPaused() {
        sources.poll();
        dropInput();
        runCommands(schedule.nextTick());
        capture.takeBack();
        userCode.run(requests.queries, rewinder.simulated(schedule.nextTick()) - 1);
        boolean ready = prepareNext(); // also during a pause that was requested here: a source may fail meanwhile
        if (ready && time.mayResume()) {
            schedule.scale(scale());
            long tickNanos = scale().times(rate()).nanosAt(1);
            schedule.resume(source.dueNanos(clock.nanoTime() + tickNanos) - tickNanos);
            writer.publishAgain(schedule.timeline());
        }
        return requests.hasMore();
    }

    /** Serves requests while the next tick is far away, or its source does not have it yet. */
    void runBetweenTicks() {
        pollDevices();
        rewinder.rollback.run();
        userCode.poll(source);
        runCommands(schedule.nextTick());
        if (writer.latest() != null) {
            userCode.run(requests.queries, rewinder.simulated(schedule.nextTick()) - 1);
        }
    }

    /** Takes input out of the ring that no tick will get. */
    private void dropInput() {
        sampler.drainWhilePaused(clock.nanoTime(), pausedInput);
    }

    TickRate rate() {
        return schedule.timeline().rate();
    }

    /** The last tick that was published; before the first, one less than its number. Any thread. */
    long lastTick() {
        return lastTick.getAcquire();
    }

    /** The first tick after which the state differed from that of the run that is followed. Any thread. */
    Optional<Divergence> divergence() {
        return origin.divergence();
    }

    /** Ends the recording, if there is one, before a tick that cannot be replayed. Any thread. */
    void endRecording(long firstMissing, IOException why) {
        if (recorder != null) {
            recorder.fail(firstMissing + meters.stats.ticksRunAgain(), why);
        }
    }

    /** Reports what ended the ticks, or this one. */
    void fault(TickFault.Reason reason, Throwable thrown) {
        observer.fault(new TickFault(reason, rewinder.simulated(times.tick), thrown, ""));
    }

    /**
     * Closes the source of the ticks, the devices and the simulation, also after one of them has thrown. Called once, at the end: on the thread
     * that ticked, also if it was abandoned, because native memory may belong to it. Allocates nothing, because memory may have run out.
     *
     * @param failed gets what they throw
     */
    void close(Consumer<Throwable> failed) {
        FirstFailure.ofClosing(origin, failed);
        sources.closePolled(failed);
        sources.close(failed);
        FirstFailure.ofClosing(simulation, failed);
        observer.end();
    }
}
