package dev.escapement.physics;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;

/**
 * Writes the measurements of a tick: to the statistics, to the Flight Recorder, and to the rows of metrics that instruments read.
 *
 * <p>Physics thread only, except for reading {@link #stats} and {@link #metrics}. Allocates nothing after construction.
 */
final class TickMeters {

    /** An instrument may be this many ticks behind: 10 s at 100 Hz. */
    private static final int ROWS = 1024;

    final PhysicsStats stats = new PhysicsStats();
    final MetricRing<TickMetric> metrics = new MetricRing<>(ROWS, TickMetric.class);
    final CoreTimes coreTimes = new CoreTimes();
    private final FlightEvents flight;
    private long skippedNanosBefore;
    private long slowedNanosBefore;

    /** Creates meters of the service of this name. */
    TickMeters(String service) {
        flight = new FlightEvents(service);
    }

    /** Called when a tick has started. */
    void begin(TickTimes times, ThreadTimes threadTimes) {
        flight.begin();
        coreTimes.started(times, threadTimes);
    }

    /** Called when a tick was published and all of its work was done, with what was refused so far. */
    void ticked(TickTimes times, TickSchedule schedule, long inputEvents, long commands) {
        flight.refused(times.tick, inputEvents, commands);
        stats.ticked(times);
        long costNanos = schedule.costNanos();
        stats.slowed(schedule.share(), schedule.asksForRealTime(), costNanos < schedule.periodNanos() ? 0 : costNanos);
        flight.ticked(times);
        flight.skipped(times.tick, schedule.skippedTicks(), schedule.skippedNanos());
        metrics.begin();
        metrics.set(TickMetric.TICK, times.tick);
        metrics.set(TickMetric.DUE_NANOS, times.dueNanos);
        metrics.set(TickMetric.STARTED_NANOS, times.startedNanos);
        metrics.set(TickMetric.STEPPED_NANOS, times.steppedNanos);
        metrics.set(TickMetric.PUBLISHED_NANOS, times.publishedNanos);
        metrics.set(TickMetric.SKIPPED_NANOS, schedule.skippedNanos() - skippedNanosBefore);
        metrics.set(TickMetric.PERIOD_NANOS, schedule.periodNanos());
        metrics.set(TickMetric.SLOWED_NANOS, schedule.slowedNanos() - slowedNanosBefore);
        skippedNanosBefore = schedule.skippedNanos();
        slowedNanosBefore = schedule.slowedNanos();
    }

    /** Completes the row of the tick. */
    void ended(long endedNanos, long commands, int events, InputFrame input, ThreadTimes threadTimes) {
        metrics.set(TickMetric.ENDED_NANOS, endedNanos);
        metrics.set(TickMetric.COMMANDS, commands);
        metrics.set(TickMetric.EVENTS, events);
        metrics.set(TickMetric.INPUTS, input.size());
        metrics.set(
                TickMetric.FIRST_INPUT_NANOS,
                input.size() == 0 ? 0 : input.event(0).timeNanos());
        coreTimes.ended(threadTimes, metrics);
        metrics.end();
    }
}
