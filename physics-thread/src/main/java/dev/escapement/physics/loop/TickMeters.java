package dev.escapement.physics.loop;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the measurements of a tick: to the statistics, to the Flight Recorder, and to the rows of metrics, if instruments read them.
 *
 * <p>Physics thread only, except for reading {@link #stats} and {@link #metrics}.
 */
public final class TickMeters {

    /** The lag that an instrument may have, in ticks: 10 s at 100 Hz. */
    private static final int ROWS = 1024;

    public final RunStats stats;
    private final CoreTimes coreTimes;
    private final FlightEvents flight;

    /** The rows; null before the first {@link #metrics()}. */
    private final AtomicReference<@Nullable MetricRing<TickMetric>> metrics = new AtomicReference<>();

    /** The ring that gets the row of the current tick; null for none. */
    private @Nullable MetricRing<TickMetric> row;

    private long skippedNanosBefore;
    private long slowedNanosBefore;

    TickMeters(Settings settings) {
        stats = new RunStats(settings.windowSize, settings.maxReaders);
        coreTimes = new CoreTimes(settings.sharesThread());
        flight = new FlightEvents(settings.name);
    }

    /** The rows of the ticks that start from now on. Any thread. The first call makes them. */
    public MetricRing<TickMetric> metrics() {
        MetricRing<TickMetric> made = metrics.getAcquire(); // pairs with the compareAndExchange; else half made
        if (made != null) {
            return made;
        }
        CoreTimes.load();
        MetricRing<TickMetric> created = new MetricRing<>(ROWS, TickMetric.class);
        MetricRing<TickMetric> first = metrics.compareAndExchange(null, created); // release: pairs with both acquires
        return first == null ? created : first;
    }

    /** Called when a tick has started. */
    void begin(MeasuredTimes times, ThreadTimes threadTimes) {
        flight.begin();
        row = metrics.getAcquire(); // pairs with the compareAndExchange in metrics(); else the ring could be half made
        coreTimes.started(times, threadTimes, row != null);
    }

    /**
     * Called when a tick was published and its queries ran. Both numbers of refusals are totals since the start.
     *
     * @param spreadNanos by how much publish delays vary
     */
    void ticked(MeasuredTimes times, TickSchedule schedule, long spreadNanos, long inputEvents, long commands) {
        stats.ticked(times);
        stats.varied(spreadNanos, (long) schedule.dilation.lengthNanos());
        slowed(schedule);
        long skippedNanos = schedule.account.skippedNanos() - skippedNanosBefore;
        skippedNanosBefore += skippedNanos;
        flight.ticked(times, schedule.account.skippedTicks(), skippedNanos, inputEvents, commands);
        if (row != null) {
            row.begin();
            row.set(TickMetric.TICK, times.tick);
            row.set(TickMetric.DUE_NANOS, times.dueNanos);
            row.set(TickMetric.STARTED_NANOS, times.startedNanos);
            row.set(TickMetric.STEPPED_NANOS, times.steppedNanos);
            row.set(TickMetric.PUBLISHED_NANOS, times.publishedNanos);
            row.set(TickMetric.SKIPPED_NANOS, skippedNanos);
            row.set(TickMetric.PERIOD_NANOS, schedule.periodNanos());
            row.set(TickMetric.SLOWED_NANOS, schedule.account.slowedNanos() - slowedNanosBefore);
        }
        slowedNanosBefore = schedule.account.slowedNanos();
    }

    /** Records the speed of time in the statistics. */
    void slowed(TickSchedule schedule) {
        long costNanos = schedule.dilation.costNanos();
        stats.slowed(
                schedule.recentFactor(),
                !schedule.isOther(TimeScale.ONE),
                costNanos < schedule.periodNanos() ? 0 : costNanos);
    }

    /** Completes the row of the tick, if there is one. */
    void ended(MeasuredTimes times, long commands, int events, InputFrame input, ThreadTimes threadTimes) {
        if (row == null) {
            return;
        }
        row.set(TickMetric.ENDED_NANOS, times.endedNanos);
        row.set(TickMetric.COMMANDS, commands);
        row.set(TickMetric.EVENTS, events);
        row.set(TickMetric.INPUTS, input.size());
        row.set(
                TickMetric.FIRST_INPUT_NANOS,
                input.size() == 0 ? 0 : input.event(0).timeNanos());
        coreTimes.ended(threadTimes, row);
        row.end();
    }
}
