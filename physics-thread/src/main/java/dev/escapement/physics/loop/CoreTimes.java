package dev.escapement.physics.loop;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;

/**
 * Reads the processor time of the physics thread for the rows of metrics: waits for a core, and running time.
 *
 * <p>Reads only while an instrument watches: once at the end of a tick's work, so that no read delays a tick that is on time. In a tick
 * that starts late or is the first one watched, it also reads at the start, to separate the wait before the tick from the tick. Two
 * readings take about two microseconds. Allocates nothing.
 *
 * <p>Physics thread only, except {@link #load()}.
 */
final class CoreTimes {

    /** A tick that starts later than this gets a reading at its start. */
    static final long LATE_NANOS = 200_000;

    /** Whether the last reading was at the end of the tick before; true before the first tick: the counters start with the thread. */
    private boolean hasBefore;

    /**
     * Whether the thread does other work between two ticks: then each tick has a reading at its start, and the wait before it is not known.
     */
    private final boolean sharesThread;

    private long waitedNanos;
    private long ranNanos;
    private long waitedBeforeNanos;
    private long ranBeforeNanos;

    CoreTimes(boolean sharesThread) {
        this.sharesThread = sharesThread;
        hasBefore = !sharesThread;
    }

    /** Loads the classes that the first reading would load on the physics thread. Any thread. */
    static void load() {
        try (ThreadTimes loaded = ThreadTimes.ofCallingThread()) {
            long unused = loaded.ranNanos();
        }
    }

    /** Called when a tick starts. */
    void started(MeasuredTimes tick, ThreadTimes times, boolean isWatched) {
        waitedBeforeNanos = ThreadTimes.NOT_COUNTED;
        ranBeforeNanos = ThreadTimes.NOT_COUNTED;
        if (!isWatched) {
            hasBefore = false;
        } else if (!hasBefore || tick.startedNanos - tick.dueNanos > LATE_NANOS) {
            long waitedSoFar = waitedNanos;
            long ranSoFar = ranNanos;
            read(times);
            if (!sharesThread) {
                waitedBeforeNanos = counted(hasBefore ? waitedSoFar : waitedNanos, waitedNanos);
                ranBeforeNanos = counted(hasBefore ? ranSoFar : ranNanos, ranNanos);
            }
        }
    }

    private void read(ThreadTimes times) {
        waitedNanos = times.waitedNanos();
        ranNanos = times.ranNanos();
    }

    private static long counted(long from, long to) {
        return to == ThreadTimes.NOT_COUNTED ? to : to - from;
    }

    /** Called when all of the work of a watched tick is done. Sets the columns of the row that was begun. */
    void ended(ThreadTimes times, MetricRing<TickMetric> row) {
        long waitedSoFar = waitedNanos;
        long ranSoFar = ranNanos;
        read(times);
        row.set(TickMetric.WAITED_BEFORE_NANOS, waitedBeforeNanos);
        row.set(TickMetric.RAN_BEFORE_NANOS, ranBeforeNanos);
        row.set(TickMetric.WAITED_NANOS, counted(waitedSoFar, waitedNanos));
        row.set(TickMetric.RAN_NANOS, counted(ranSoFar, ranNanos));
        hasBefore = !sharesThread;
    }
}
