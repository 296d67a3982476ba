package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.TickListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Measures and checks every tick of a service. Physics thread, where nothing else is said. */
final class WatchedTicks implements TickListener {

    /** The names of the distributions that it fills, in microseconds. */
    static final List<String> DURATIONS = List.of("tick lateness", "publish delay");

    /** No service has larger windows: after so many ticks of a simulation there is one. */
    private static final int LARGEST_WINDOW = 10;

    private final Trial trial;
    private final TickListener listener;
    private final Distribution lateness;
    private final Distribution publishDelay;
    private final Series latenessOverTime;

    // Release, after the tick was published; its partner is published(): who sees the number sees the snapshot.
    private final AtomicLong published = new AtomicLong();

    private long count;
    private long ofSimulation;
    private long firstDueNanos;
    private long lastNanos;

    /** Reports to the trial, and tells a listener too. */
    WatchedTicks(Trial trial, TickListener listener) {
        this.trial = trial;
        this.listener = listener;
        lateness = trial.distribution(DURATIONS.get(0));
        publishDelay = trial.distribution(DURATIONS.get(1));
        latenessOverTime = trial.timeLine("tick lateness, us");
    }

    @Override
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        if (++ofSimulation >= LARGEST_WINDOW) {
            published.setRelease(tick);
        }
        if (count++ == 0) {
            firstDueNanos = dueNanos;
        }
        lastNanos = publishedNanos;
        lateness.record(startedNanos - dueNanos);
        publishDelay.record(publishedNanos - dueNanos);
        latenessOverTime.add((dueNanos - firstDueNanos) / 1e9, (startedNanos - dueNanos) / 1e3);
        check(tick, startedNanos - dueNanos);
        listener.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
    }

    private void check(long tick, long latenessNanos) {
        if (trial.checks(Promise.NUMBERED)) {
            long number = trial.isPlanted(Promise.NUMBERED) ? 2 * tick : tick;
            trial.check(Promise.NUMBERED)
                    .that(number == count, () -> "tick " + number + " where " + count + " was to come");
        }
        if (trial.checks(Promise.NEVER_EARLY)) {
            long lateNanos = trial.isPlanted(Promise.NEVER_EARLY) ? -1 - latenessNanos : latenessNanos;
            trial.check(Promise.NEVER_EARLY)
                    .that(lateNanos >= 0, () -> "tick " + tick + " started " + -lateNanos + " ns before it was due");
        }
    }

    /** Another simulation ticks from now on. Whoever restarts it, while the thread that ticked has failed and the next is not there. */
    void restart() {
        ofSimulation = 0;
    }

    /** The newest tick whose publish is complete, not before there are windows of its simulation. Any thread. */
    long published() {
        return published.getAcquire();
    }

    /** How many ticks there were. After the last one, as all that follows. */
    long count() {
        return count;
    }

    /** When the last tick was published. */
    long lastNanos() {
        return lastNanos;
    }

    /** How late ticks started. */
    Distribution.Summary latenessMicros() {
        return lateness.summary();
    }
}
