package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** A simulated physics thread on a manual clock, with the counters of a real system. Tests plant causes that take its time. */
final class PlantedThread {

    static final long MILLI = 1_000_000;
    static final long PERIOD = 10 * MILLI;

    private static final long SPIN = 200_000; // for so long the thread spins before a tick is due

    enum Taker {
        TICKS,
        OTHERS,
        JVM,
        UNKNOWN;

        long nanos(TakenTime of) {
            return switch (this) {
                case TICKS -> of.ticksNanos();
                case OTHERS -> of.othersNanos();
                case JVM -> of.jvmNanos();
                case UNKNOWN -> of.unknownNanos();
            };
        }
    }

    enum Cause {
        STEP_RUNS(Taker.TICKS),
        STEP_SLEEPS(Taker.TICKS),
        /** The step runs in native code, which continues while the JVM has stopped all other threads. */
        STEP_RUNS_THROUGH_A_PAUSE(Taker.TICKS),
        CORE_AWAY_BEFORE(Taker.OTHERS),
        CORE_AWAY(Taker.OTHERS),
        STOLEN(Taker.OTHERS),
        PAUSE_BEFORE(Taker.JVM),
        PAUSE(Taker.JVM),
        WOKEN_LATE(Taker.UNKNOWN);

        final Taker taker;

        Cause(Taker taker) {
            this.taker = taker;
        }
    }

    record Plant(Cause cause, long nanos) {}

    private static final Set<Cause> BEFORE = EnumSet.of(Cause.CORE_AWAY_BEFORE, Cause.PAUSE_BEFORE, Cause.WOKEN_LATE);

    private final MetricRing<TickMetric> ring = new MetricRing<>(2, TickMetric.class);
    private final MetricRing<TickMetric>.Reader row = ring.newReader();
    private final LinuxCounts counts = new LinuxCounts(Path.of("no such folder"));
    private final boolean skips;
    final TimeLedger ledger;

    /** Whether the simulated system counts the time that the thread waits for a core. */
    boolean countsWaiting = true;

    /** Whether time continues as if ticks were on time: neither skipped nor slowed down. */
    boolean keepsDueTimes;

    private long now;
    private long tick;
    private long due;
    private long slowed;
    private long waited = 5;
    private long ran = 5;
    private long readWaited = waited;
    private long readRan = ran;

    /**
     * Starts the clock shortly before {@code Long.MAX_VALUE}, where it wraps, so that a test fails if code compares instants and not
     * differences. After late ticks, time is skipped or slowed down.
     */
    PlantedThread(boolean skips, TimeWatch.Listener listener) {
        this.skips = skips;
        ledger = new TimeLedger(counts, listener);
        now = Long.MAX_VALUE - 50 * MILLI;
        due = now + PERIOD;
    }

    void pauseTime(long nanos) {
        due += nanos;
    }

    /** Runs a tick whose step takes 2 ms, with the planted causes. */
    void tick(Plant... plants) {
        if (now - (due - SPIN) < 0) {
            now = due - SPIN;
            run(SPIN);
        }
        for (Plant plant : plants) {
            if (BEFORE.contains(plant.cause)) {
                take(plant);
            }
        }
        long started = now;
        long[] before = started - due > SPIN ? read() : new long[] {-1, -1};
        run(2 * MILLI);
        await(MILLI / 10); // a short wait, as on any machine
        for (Plant plant : plants) {
            if (!BEFORE.contains(plant.cause)) {
                take(plant);
            }
        }
        write(started, before, read());
    }

    private void take(Plant plant) {
        long from = now;
        switch (plant.cause) {
            case STEP_RUNS, STEP_RUNS_THROUGH_A_PAUSE -> run(plant.nanos);
            case CORE_AWAY_BEFORE, CORE_AWAY -> await(plant.nanos);
            default -> now += plant.nanos;
        }
        switch (plant.cause) {
            case PAUSE_BEFORE, PAUSE, STEP_RUNS_THROUGH_A_PAUSE -> counts.paused(from, now);
            case STOLEN -> counts.stolen(from, now, plant.nanos);
            default -> {}
        }
    }

    private void write(long started, long[] before, long[] during) {
        long late = now - due - PERIOD;
        long missed = late > 0 && skips ? (late + PERIOD - 1) / PERIOD : 0;
        ring.begin();
        ring.set(TickMetric.TICK, ++tick);
        ring.set(TickMetric.DUE_NANOS, due);
        ring.set(TickMetric.STARTED_NANOS, started);
        ring.set(TickMetric.ENDED_NANOS, now);
        ring.set(TickMetric.SKIPPED_NANOS, missed * PERIOD);
        ring.set(TickMetric.SLOWED_NANOS, slowed);
        ring.set(TickMetric.PERIOD_NANOS, PERIOD);
        ring.set(TickMetric.WAITED_BEFORE_NANOS, before[0]);
        ring.set(TickMetric.RAN_BEFORE_NANOS, before[1]);
        ring.set(TickMetric.WAITED_NANOS, during[0]);
        ring.set(TickMetric.RAN_NANOS, during[1]);
        ring.end();
        row.next();
        ledger.add(row);
        slowed = keepsDueTimes || skips ? 0 : Math.max(0, late);
        due += PERIOD + slowed + (keepsDueTimes ? 0 : missed * PERIOD);
    }

    /** Returns the increase of the counters since the last reading. */
    private long[] read() {
        long[] since = {countsWaiting ? waited - readWaited : ThreadTimes.NOT_COUNTED, ran - readRan};
        readWaited = waited;
        readRan = ran;
        return since;
    }

    private void run(long nanos) {
        ran += nanos;
        now += nanos;
    }

    void await(long nanos) {
        waited += nanos;
        now += nanos;
    }
}
