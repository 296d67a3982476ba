package dev.escapement.physics.loop;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the measurements of a tick: to the statistics, to the Flight Recorder, and to the rows of metrics, if instruments read them.
 *
 * <p>A row of metrics describes one tick. It contains the processor time of the physics thread: waits for a core, and running time. Reading
 * both takes about two microseconds, so the thread reads them at the end of a tick's work, where that delays no tick that is on time. If a
 * tick starts late, or is the first one with a row, the thread reads them at its start, too, to separate the wait before the tick from the
 * tick.
 *
 * <p>Physics thread only, except for reading {@link #stats} and {@link #metrics}.
 */
public final class TickMeters {

    /** The capacity of the ring, in ticks. An instrument may lag behind by this many before it misses rows: 10 s at 100 Hz. */
    private static final int ROWS = 1024;

    /** If a tick starts later than this, the thread's times are read at its start, too. */
    static final long LATE_NANOS = 200_000;

    public final RunStats stats;
    private final @Nullable FlightEvents flight;

    /** The rows; null before the first {@link #metrics()}. */
    private final AtomicReference<@Nullable MetricRing<TickMetric>> metrics = new AtomicReference<>();

    /** The ring that gets the row of the current tick; null for none. */
    private @Nullable MetricRing<TickMetric> row;

    private long skippedNanosBefore;
    private long slowedNanosBefore;

    /**
     * Whether the thread does other work between two ticks: then each tick has readings at its start, and the wait before it is not known.
     */
    private final boolean sharesThread;

    /**
     * Whether the last readings were at the end of the tick before; true before the first tick, because the counters are 0 at the start of
     * the thread.
     */
    private boolean hasReadings;

    // The last readings of the thread's times, and by how much the readings at the start of this tick exceed the
    // readings before them.
    private long waitedNanos;
    private long ranNanos;
    private long waitedBeforeNanos;
    private long ranBeforeNanos;

    TickMeters(Settings settings) {
        stats = new RunStats(settings.windowSize, settings.maxReaders);
        sharesThread = settings.sharesThread();
        hasReadings = !sharesThread;
        flight = FlightEvents.of(settings.name);
    }

    /** The rows of the ticks that start from now on. Any thread. The first call makes them. */
    public MetricRing<TickMetric> metrics() {
        // Pairs with the compareAndExchange; else the ring could be half made.
        MetricRing<TickMetric> made = metrics.getAcquire();
        if (made != null) {
            return made;
        }
        loadThreadTimes();
        MetricRing<TickMetric> created = new MetricRing<>(ROWS, TickMetric.class);
        MetricRing<TickMetric> first = metrics.compareAndExchange(null, created); // release: pairs with both acquires
        return first == null ? created : first;
    }

    /** Loads the classes that the first reading would load on the physics thread. */
    private static void loadThreadTimes() {
        try (ThreadTimes loaded = ThreadTimes.ofCallingThread()) {
            long unused = loaded.ranNanos();
        }
    }

    void begin(MeasuredTimes times, ThreadTimes threadTimes) {
        if (flight != null) {
            flight.begin();
        }
        row = metrics.getAcquire(); // pairs with the compareAndExchange in metrics(); else the ring could be half made
        if (row == null) {
            hasReadings = false;
        } else {
            readAtStart(times.startedNanos - times.dueNanos > LATE_NANOS, threadTimes);
        }
    }

    private void readAtStart(boolean isLate, ThreadTimes threadTimes) {
        waitedBeforeNanos = ThreadTimes.NOT_COUNTED;
        ranBeforeNanos = ThreadTimes.NOT_COUNTED;
        if (!hasReadings || isLate) {
            long waitedSoFar = waitedNanos;
            long ranSoFar = ranNanos;
            read(threadTimes);
            if (!sharesThread) {
                waitedBeforeNanos = counted(hasReadings ? waitedSoFar : waitedNanos, waitedNanos);
                ranBeforeNanos = counted(hasReadings ? ranSoFar : ranNanos, ranNanos);
            }
        }
    }

    private void read(ThreadTimes threadTimes) {
        waitedNanos = threadTimes.waitedNanos();
        ranNanos = threadTimes.ranNanos();
    }

    private static long counted(long from, long to) {
        return to == ThreadTimes.NOT_COUNTED ? to : to - from;
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
        if (flight != null) {
            flight.ticked(times, schedule.account.skippedTicks(), skippedNanos, inputEvents, commands);
        }
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

    void slowed(TickSchedule schedule) {
        long costNanos = schedule.dilation.costNanos();
        stats.slowed(
                schedule.recentFactor(),
                !schedule.isOther(TimeScale.ONE),
                costNanos < schedule.periodNanos() ? 0 : costNanos);
    }

    void ended(MeasuredTimes times, long commands, ThreadTimes threadTimes) {
        if (row == null) {
            return;
        }
        row.set(TickMetric.ENDED_NANOS, times.endedNanos);
        row.set(TickMetric.COMMANDS, commands);
        long waitedSoFar = waitedNanos;
        long ranSoFar = ranNanos;
        read(threadTimes);
        row.set(TickMetric.WAITED_BEFORE_NANOS, waitedBeforeNanos);
        row.set(TickMetric.RAN_BEFORE_NANOS, ranBeforeNanos);
        row.set(TickMetric.WAITED_NANOS, counted(waitedSoFar, waitedNanos));
        row.set(TickMetric.RAN_NANOS, counted(ranSoFar, ranNanos));
        row.end();
        hasReadings = !sharesThread;
    }
}
