package dev.escapement.physics;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;

/**
 * What one tick is: sample the input, step, capture, publish. Knows nothing of threads or of waiting.
 *
 * <p>Used by one thread. Allocates nothing after construction.
 */
final class TickLoop {

    private final Simulation simulation;
    private final CommandQueue commands;
    private final CommandQueue queries;
    private final TimeControl time;
    private final Capture capture;
    private final NanoClock clock;
    private final SnapshotWriter writer;
    private final InputSampler sampler;
    private final TickSchedule schedule;
    private final TickListener listener;
    private final boolean checksums;
    private final double periodNanos;
    private final Tick tick;
    private double budgetUsed;

    TickLoop(
            Simulation simulation,
            Capture capture,
            CommandQueue commands,
            CommandQueue queries,
            TimeControl time,
            NanoClock clock,
            SnapshotWriter writer,
            InputSampler sampler,
            TickSchedule schedule,
            TickListener listener,
            boolean checksums) {
        this.simulation = simulation;
        this.capture = capture;
        this.commands = commands;
        this.queries = queries;
        this.time = time;
        this.clock = clock;
        this.writer = writer;
        this.sampler = sampler;
        this.schedule = schedule;
        this.listener = listener;
        this.checksums = checksums;
        tick = new Tick(schedule.timeline().rate());
        periodNanos = tick.dtSeconds() * 1e9;
    }

    /** Runs the next tick now, whether or not it is due. */
    void runTick() throws Exception {
        long startedNanos = clock.nanoTime();
        long number = schedule.nextTick();
        long dueNanos = schedule.nextDueNanos();
        tick.set(number, dueNanos, budgetUsed, sampler.sample(dueNanos));
        commands.run(number);
        simulation.step(tick);
        long steppedNanos = clock.nanoTime();
        capture(number, dueNanos);
        long publishedNanos = clock.nanoTime();
        // Before publishing, so that the window already carries the timeline with the time that was given up.
        schedule.finish(publishedNanos);
        time.applyTo(schedule, publishedNanos);
        writer.publish(schedule.timeline(), publishedNanos);
        budgetUsed = (publishedNanos - startedNanos) / periodNanos;
        queries.run(number);
        listener.ticked(number, dueNanos, startedNanos, steppedNanos, publishedNanos);
    }

    /** What is done while time stands still. Lets it go on from now if it may; tells whether there is more to do at once. */
    boolean runPaused() {
        commands.run(schedule.nextTick());
        queries.run(schedule.nextTick() - 1);
        if (time.mayGoOn()) {
            schedule.scale(time.scale());
            schedule.resume(clock.nanoTime());
            writer.publishAgain(schedule.timeline());
        }
        return commands.hasMore() || queries.hasMore();
    }

    private void capture(long number, long dueNanos) throws Exception {
        Snapshot latest = writer.latest();
        Snapshot snapshot = writer.begin();
        snapshot.begin(number, dueNanos);
        capture.write(snapshot, latest);
        if (checksums) {
            snapshot.seal();
        }
    }
}
