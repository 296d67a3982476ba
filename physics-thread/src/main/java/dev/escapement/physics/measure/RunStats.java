package dev.escapement.physics.measure;

import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.physics.schedule.TimeAccount;
import dev.escapement.physics.simulation.Distribution;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.exchange.WindowAdvice;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TimeHistogram;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a run: statistics, events for the Flight Recorder, and rows of metrics, if instruments read them.
 *
 * <p>A row of metrics describes one tick. It contains the processor time of the physics thread: waits for a core, and running time. Reading
 * both takes about two microseconds, so the thread reads them at the end of a tick's work, where that delays no tick that is on time. If a
 * tick starts late, or is the first one with a row, the thread reads them at its start, too, to separate the wait before the tick from the
 * tick.
 *
 * <p>The physics thread records, wait-free; any thread calls the methods of {@link PhysicsStats}, {@link #metrics()} and
 * {@link #hasLongSteps()}.
 */
public final class RunStats implements PhysicsStats {

    /** If a tick starts later than this, the thread's times are read at its start, too. */
    public static final long LATE_NANOS = 200_000;

    /** The capacity of the ring, in ticks. An instrument may lag behind by this many before it misses rows: 10 s at 100 Hz. */
    private static final int ROWS = 1024;

    private static final double SPEED_UNITS = 1e6;

    private final Times lateness = new Times();
    private final Times step = new Times();
    private final Times publishDelay = new Times();

    // Opaque: the physics thread alone writes them, no reader sees half of a number; nothing else is ordered by them.
    private final AtomicLong rollbacks = new AtomicLong();
    private final AtomicLong resimulatedTicks = new AtomicLong();
    private final AtomicLong droppedLateInputs = new AtomicLong();

    /**
     * The recent speed and its cause in one 64-bit word, so that a reader sees parts of the same tick; 0 at full speed. Opaque: the physics
     * thread alone writes the word, or the thread that has abandoned it, and nothing else is ordered by it.
     *
     * <pre>
     *   bits    value
     *   63..32  share of the requested speed, in millionths, at least 1
     *   31      1 if the requested speed is not real time
     *   30..0   length of a step in microseconds; 0 if steps are short again
     * </pre>
     */
    private final AtomicLong slowMotion = new AtomicLong();

    /**
     * The spread of publish delays and the length of a tick, in one 64-bit word, so that a reader sees parts of the same tick. Opaque: the
     * physics thread alone writes the word, and nothing else is ordered by it.
     *
     * <pre>
     *   bits    value
     *   63..32  spread in microseconds
     *   31..0   length of a tick in microseconds, at least 1
     * </pre>
     */
    private final AtomicLong delays = new AtomicLong(1);

    private final TickSchedule schedule;
    private final TimeAccount account;
    private final int windowSize;
    private final int maxReaders;
    private final @Nullable FlightEvents flight;

    // Volatile: the physics thread writes it once, any thread reads it; else a reader could see a half-built object.
    private volatile ThreadGrants threadGrants = ThreadGrants.none();

    private final List<Supplier<Map<String, Long>>> added = new CopyOnWriteArrayList<>();

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

    /**
     * Creates the measurements of a run that has not started.
     *
     * @param schedule     knows the time that was slowed or skipped
     * @param service      the name of the service, in events of the Flight Recorder
     * @param windowSize   the snapshots of a window
     * @param maxReaders   the maximum of readers at a time
     * @param sharesThread whether the thread that ticks does other work between two ticks
     */
    public RunStats(TickSchedule schedule, String service, int windowSize, int maxReaders, boolean sharesThread) {
        this.schedule = schedule;
        account = schedule.account;
        this.windowSize = windowSize;
        this.maxReaders = maxReaders;
        this.sharesThread = sharesThread;
        hasReadings = !sharesThread;
        flight = FlightEvents.of(service);
    }

    @Override
    public Distribution latenessNanos() {
        return lateness;
    }

    @Override
    public Distribution stepNanos() {
        return step;
    }

    @Override
    public Distribution publishDelayNanos() {
        return publishDelay;
    }

    @Override
    public long rollbacks() {
        return rollbacks.getOpaque();
    }

    @Override
    public long resimulatedTicks() {
        return resimulatedTicks.getOpaque();
    }

    @Override
    public long droppedLateInputs() {
        return droppedLateInputs.getOpaque();
    }

    public void resimulated(long ticks) {
        rollbacks.setOpaque(rollbacks.getPlain() + 1);
        resimulatedTicks.setOpaque(resimulatedTicks.getPlain() + ticks);
    }

    /** Counts an input event that came too late. Returns how many did so far. */
    public long droppedLateInput() {
        long dropped = droppedLateInputs.getPlain() + 1;
        droppedLateInputs.setOpaque(dropped);
        return dropped;
    }

    @Override
    public ThreadGrants threadGrants() {
        return threadGrants;
    }

    /** Stores the grants of the thread policy. Physics thread, before the first tick. */
    public void granted(ThreadGrants grants) {
        threadGrants = grants;
    }

    @Override
    public void addCounts(Supplier<Map<String, Long>> counts) {
        added.add(Objects.requireNonNull(counts, "counts must not be null"));
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        added.forEach(counts -> counts.get().forEach((name, count) -> all.merge(name, count, Long::sum)));
        return all;
    }

    @Override
    public double speed() {
        long now = slowMotion.getOpaque();
        return now == 0 ? 1 : (now >>> Integer.SIZE) / SPEED_UNITS;
    }

    @Override
    public String slowMotion() {
        long now = slowMotion.getOpaque();
        if (now == 0) {
            return "";
        }
        double stepMillis = ((int) now & Integer.MAX_VALUE) / 1e3;
        String why = stepMillis == 0
                ? "ticks ended late shortly before"
                : String.format(Locale.ROOT, stepMillis < 10 ? "steps take %.1f ms" : "steps take %.0f ms", stepMillis);
        return String.format(
                Locale.ROOT,
                "Slow motion: %.2f of %s, because %s",
                (now >>> Integer.SIZE) / SPEED_UNITS,
                (int) now < 0 ? "the requested speed" : "real time",
                why);
    }

    /**
     * Whether steps take too long now. If not, a run that repeats another one may be slow by itself, and whoever ticks that one says why.
     */
    public boolean hasLongSteps() {
        return ((int) slowMotion.getOpaque() & Integer.MAX_VALUE) != 0;
    }

    @Override
    public String windowAdvice() {
        long now = delays.getOpaque();
        return WindowAdvice.of((now >>> Integer.SIZE) * 1000, (int) now * 1000L, windowSize, maxReaders);
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

    /** Begins a tick that started {@code lateNanos} after it was due. */
    public void begin(long lateNanos, ThreadTimes threadTimes) {
        if (flight != null) {
            flight.begin();
        }
        row = metrics.getAcquire(); // pairs with the compareAndExchange in metrics(); else the ring could be half made
        if (row == null) {
            hasReadings = false;
        } else {
            readAtStart(lateNanos > LATE_NANOS, threadTimes);
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
     * Records a tick that was published and whose queries ran. Both numbers of refusals are totals since the start.
     *
     * @param overrunNanos from the due time of the next tick to the publish; negative if the publish came first
     * @param spreadNanos  by how much publish delays vary
     */
    public void ticked(TickHook.Times times, long overrunNanos, long spreadNanos, long inputEvents, long commands) {
        lateness.record(times.startedNanos() - times.dueNanos());
        step.record(times.steppedNanos() - times.startedNanos());
        publishDelay.record(times.publishedNanos() - times.dueNanos());
        varied(spreadNanos, schedule.tickNanos());
        slowed();
        long skippedNanos = account.skippedNanos() - skippedNanosBefore;
        long slowedNanos = account.slowedNanos() - slowedNanosBefore;
        skippedNanosBefore += skippedNanos;
        slowedNanosBefore += slowedNanos;
        if (flight != null) {
            flight.ticked(times, overrunNanos, account.skippedTicks(), skippedNanos, inputEvents, commands);
        }
        if (row != null) {
            row.begin();
            row.set(TickMetric.TICK, times.publishedTick());
            row.set(TickMetric.DUE_NANOS, times.dueNanos());
            row.set(TickMetric.STARTED_NANOS, times.startedNanos());
            row.set(TickMetric.STEPPED_NANOS, times.steppedNanos());
            row.set(TickMetric.PUBLISHED_NANOS, times.publishedNanos());
            row.set(TickMetric.SKIPPED_NANOS, skippedNanos);
            row.set(TickMetric.PERIOD_NANOS, schedule.periodNanos());
            row.set(TickMetric.SLOWED_NANOS, slowedNanos);
        }
    }

    void varied(long spreadNanos, long lengthNanos) {
        long spreadMicros = Math.min(Integer.MAX_VALUE, spreadNanos / 1000);
        long lengthMicros = Math.max(1, Math.min(Integer.MAX_VALUE, lengthNanos / 1000));
        delays.setOpaque(spreadMicros << Integer.SIZE | lengthMicros);
    }

    /** Records the recent speed and its cause. Physics thread, or the thread that has abandoned it. */
    public void slowed() {
        double speed = schedule.recentFactor();
        long micros = Math.min(Integer.MAX_VALUE, schedule.longStepNanos() / 1000);
        long flag = schedule.isOther(TimeScale.ONE) ? 1L << (Integer.SIZE - 1) : 0;
        long parts = Math.max(1, Math.round(speed * SPEED_UNITS)); // 0 would mean full speed
        slowMotion.setOpaque(speed == 1 ? 0 : parts << Integer.SIZE | flag | micros);
    }

    /**
     * Completes the row of a tick, if there is one.
     *
     * @param endedNanos the end of the tick's work: events, queries and hooks come after its publish
     * @param commands   how many commands and queries ran
     */
    public void ended(long endedNanos, long commands, ThreadTimes threadTimes) {
        if (row == null) {
            return;
        }
        row.set(TickMetric.ENDED_NANOS, endedNanos);
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

    @Override
    public String toString() {
        String slow = slowMotion();
        String advice = windowAdvice();
        return "p50 / p99 in ms: late " + lateness + ", step " + step + ", published after " + publishDelay
                + (slow.isEmpty() ? "" : ". " + slow)
                + (advice.isEmpty() ? "" : ". " + advice);
    }

    private static final class Times extends TimeHistogram implements Distribution {

        Times() {
            super(128); // an error of at most 1%
        }
    }
}
