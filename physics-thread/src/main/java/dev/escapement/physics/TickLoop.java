package dev.escapement.physics;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What one tick is: run commands, sample the input, step, capture, publish, tell events. Knows nothing of threads or of waiting.
 *
 * <p>Used by one thread. Allocates nothing after construction.
 */
final class TickLoop {

    private final Simulation simulation;
    private final CommandQueue commands;
    private final CommandQueue queries;
    private final TimeControl time;
    private final Heartbeat heartbeat;
    private final EventHub events;
    private final EventHub.Source contacts;

    /**
     * The snapshot whose bodies were told of last, by this loop or by one before it. Nothing is written into it meanwhile: until the
     * next one was told of, it lies in the latest window of its exchange, which has two at least.
     */
    private @Nullable Snapshot told;

    private final Capture capture;
    private final NanoClock clock;
    private final SnapshotWriter writer;
    private final InputSources sources;
    private final InputSampler sampler;
    private final TickInput input;
    private final TickLog log;
    private final TickSchedule schedule;
    private final TickReport report;
    private final @Nullable PausedInputListener pausedInput;
    private final boolean checksums;
    private final double periodNanos;
    private final Tick tick;
    private double budgetUsed;
    private boolean begun;

    TickLoop(
            PhysicsServiceBuilder builder,
            Simulation simulation,
            TickParts parts,
            NanoClock clock,
            TickInput input,
            @Nullable Snapshot told) {
        this.simulation = simulation;
        events = parts.events;
        contacts = simulation::events;
        this.told = told;
        this.clock = clock;
        capture = parts.capture;
        commands = parts.commands;
        queries = parts.queries;
        time = parts.time;
        heartbeat = parts.heartbeat;
        writer = parts.exchange.writer();
        sources = parts.sources;
        sampler = parts.sampler;
        this.input = input;
        log = parts.log;
        schedule = parts.schedule;
        report = new TickReport(parts, builder.listener);
        pausedInput = builder.pausedInput == null ? null : guarded(builder.pausedInput);
        checksums = builder.checksums;
        tick = new Tick(builder.rate);
        periodNanos = tick.dtSeconds() * 1e9;
    }

    /** Tells the simulation which thread it has from now on, if it does not know. */
    void begin() throws Exception {
        if (!begun) {
            heartbeat.begin();
            simulation.begin();
            endUserCode();
            begun = true; // not if it threw: nothing else may come before it
        }
    }

    /** Runs the next tick now, whether or not it is due. */
    void runTick() throws Exception {
        report.begin();
        long startedNanos = clock.nanoTime();
        long number = schedule.nextTick();
        long dueNanos = schedule.nextDueNanos();
        pollSources();
        if (input.isReplay()) {
            drainLiveInput();
        }
        runCommands(number);
        // After the commands: should one hang, what happened belongs to no tick yet, and is handed to the next life.
        input.take(tick, number, schedule.timeline().goesOnNanos(number - 1), dueNanos, budgetUsed);
        tick.wantEvents(events.beginTick(input.eventsWanted()));
        heartbeat.begin();
        simulation.step(tick);
        long steppedNanos = clock.nanoTime();
        endUserCode();
        heartbeat.begin();
        long stateHash = log.stateHash();
        endUserCode(); // what an abandoned thread has stepped must not be recorded
        heartbeat.begin();
        log.stepped(tick, stateHash);
        Snapshot written = capture(number, dueNanos, writer.latest());
        endUserCode();
        long publishedNanos = clock.nanoTime();
        long overrunNanos = publishedNanos - schedule.timeline().dueNanos(number + 1);
        // Before publishing, so that the window already carries the timeline with the time that was given up.
        schedule.finish(publishedNanos);
        time.applyTo(schedule, publishedNanos);
        if (input.isAtEnd() && !schedule.isPaused()) {
            schedule.pause(publishedNanos); // whatever anybody wants of time
        }
        writer.publish(schedule.timeline(), publishedNanos);
        budgetUsed = (publishedNanos - startedNanos) / periodNanos;
        tellEvents(written);
        commands.settle();
        run(queries, number);
        heartbeat.begin();
        report.ticked(number, dueNanos, startedNanos, steppedNanos, publishedNanos, overrunNanos);
        endUserCode();
    }

    /**
     * What the loop that goes on after this one compares its first tick with. After this one's thread has ended, or was abandoned:
     * either way what it wrote before its last piece of the user's code is seen.
     */
    @Nullable
    Snapshot told() {
        return told;
    }

    /** What is done while time stands still. Lets it go on from now if it may; tells whether there is more to do at once. */
    boolean runPaused() {
        pollSources();
        drainLiveInput();
        runCommands(schedule.nextTick());
        capture.takeBack();
        run(queries, schedule.nextTick() - 1);
        if (time.mayGoOn() && !input.isAtEnd()) {
            schedule.scale(time.scale());
            schedule.resume(clock.nanoTime());
            writer.publishAgain(schedule.timeline());
        }
        return commands.hasMore() || queries.hasMore();
    }

    /** What is done while time goes slowly, and the next tick is far away. Input is taken out of the ring and waits for its ticks. */
    void runBetweenTicks() {
        pollSources();
        if (input.isReplay()) {
            drainLiveInput();
        } else {
            sampler.takeAhead();
        }
        runCommands(schedule.nextTick());
        if (writer.latest() != null) {
            run(queries, schedule.nextTick() - 1);
        }
    }

    private void pollSources() {
        for (int i = 0; i < sources.size(); i++) {
            sources.select(i);
            heartbeat.begin();
            sources.pollSelected();
            endUserCode();
        }
        sources.deselect();
    }

    /** What happens while no tick wants to know. */
    private void drainLiveInput() {
        sampler.drainWhilePaused(clock.nanoTime(), pausedInput);
    }

    /** A beat for each event: who abandons this thread within one sees the sampler as it is then, and may take it over. */
    private PausedInputListener guarded(PausedInputListener listener) {
        return (event, state) -> {
            heartbeat.begin();
            listener.happened(event, state);
            endUserCode();
        };
    }

    private void runCommands(long number) {
        if (run(commands, number)) {
            log.commandsRan();
        }
    }

    private boolean run(CommandQueue queue, long number) {
        heartbeat.begin();
        boolean some = queue.run(number);
        endUserCode();
        return some;
    }

    /**
     * After each piece of the user's code: nothing that a thread does after it was abandoned may be seen, and it must run no
     * other piece, for another thread may tick by now.
     */
    private void endUserCode() {
        if (!heartbeat.end()) {
            throw new IllegalStateException(
                    "the physics thread came back after it had been abandoned; what it did since is ignored");
        }
    }

    /** After publishing, so that nobody hears of a tick that cannot be seen. */
    private void tellEvents(Snapshot written) throws Exception {
        heartbeat.begin();
        try {
            events.collect(told, written, contacts);
        } finally {
            endUserCode();
            events.deliver();
            told = written;
        }
    }

    private Snapshot capture(long number, long dueNanos, @Nullable Snapshot latest) throws Exception {
        Snapshot snapshot = writer.begin();
        snapshot.begin(number, dueNanos);
        snapshot.inputsTaken(input.taken());
        capture.write(snapshot, latest);
        if (checksums) {
            snapshot.seal();
        }
        return snapshot;
    }
}
