package dev.escapement.platform.linux;

import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out who takes the time of a physics thread: its ticks themselves, other programs, the JVM. It reads counters: Linux
 * counts how long a thread runs and waits for a core, and what a hypervisor takes; the Flight Recorder knows the pauses of the JVM.
 * Elsewhere the JVM counts how long a thread runs, and most else stays unknown.
 *
 * <pre>{@code
 * TimeWatch watch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
 * run();
 * watch.close();
 * System.out.println(watch.lost().inPercent()); // ticks took too long themselves (62 %), the JVM paused (38 %)
 * }</pre>
 *
 * <p>A thread of its own looks twenty times a second. The physics thread reads two counters after each tick, and before a late one. One
 * thread starts and closes a watch.
 */
public final class TimeWatch implements AutoCloseable {

    private static final long LOOK_NANOS = 50_000_000;

    /** A tick that waits longer to be judged, because the recorder reports nothing, is judged without pauses of the JVM. */
    private static final long JUDGED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Receives the findings, some seconds after the fact. Threads of the watch call it. */
    public interface Listener {

        /** Ignores all findings. */
        Listener NONE = new Listener() {};

        /**
         * Called for each tick that ended after the next one was due.
         *
         * @param tick      its number, by the count of readers
         * @param fromNanos when it was due, or when the tick before ended if that was later; an instant of the clock
         * @param toNanos   when it ended
         * @param taken     who took the time in between
         */
        default void late(long tick, long fromNanos, long toNanos, TakenTime taken) {}

        /**
         * Called for each pause of the JVM.
         *
         * @param fromNanos when it had stopped its threads; an instant of the clock
         * @param toNanos   when they went on
         * @param name      what it did meanwhile
         */
        default void paused(long fromNanos, long toNanos, String name) {}
    }

    private final LinuxCounts counts = new LinuxCounts(Path.of("/proc"));
    private final MetricRing<TickMetric>.Reader ticks;
    private final TimeLedger ledger;
    private final JvmPauses pauses;
    private final Thread thread = new Thread(this::look, "escapement-time-watch");

    /** When the last tick ended. The thread that looks writes it, then the one that closes. */
    private long endedNanos;

    // Volatile: read twenty times a second.
    private volatile boolean ending;

    private TimeWatch(MetricRing<TickMetric> ring, Listener listener) {
        ticks = ring.newReader();
        ledger = new TimeLedger(counts, listener);
        pauses = new JvmPauses(counts, listener);
        thread.setDaemon(true);
    }

    /**
     * Starts to watch. Takes a fraction of a second the first time.
     *
     * @param ticks    the metrics of the ticks, which run by {@link System#nanoTime()}
     * @param listener receives the findings
     * @return the watch, to be closed
     */
    public static TimeWatch start(MetricRing<TickMetric> ticks, Listener listener) {
        TimeWatch watch = new TimeWatch(ticks, listener);
        watch.pauses.start();
        watch.thread.start();
        return watch;
    }

    private void look() {
        while (!ending) {
            long nowNanos = System.nanoTime();
            counts.look(nowNanos);
            take();
            ledger.judge(Math.max(pauses.reportedUntilNanos(), nowNanos - JUDGED_AFTER_NANOS));
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void take() {
        while (ticks.next()) {
            endedNanos = ticks.get(TickMetric.ENDED_NANOS);
            ledger.add(ticks);
        }
    }

    /** Ends it, and judges all ticks that have ended; waits some seconds for pauses of the JVM if some were late. Idempotent. */
    @Override
    public void close() {
        if (ending) {
            return;
        }
        ending = true;
        LockSupport.unpark(thread);
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            throw new IllegalStateException("thread " + thread.getName() + " does not end within "
                    + TimeUnit.NANOSECONDS.toSeconds(CLOSE_NANOS) + " s; its listener must return");
        }
        take();
        counts.look(System.nanoTime());
        if (ledger.hasLate()) {
            pauses.awaitReported(endedNanos);
        }
        pauses.close();
        ledger.judgeAll();
    }

    /** {@return the time from when ticks were due until they ended, of all of them, and who took it} Known when it is closed. */
    public TakenTime all() {
        return ledger.all();
    }

    /** {@return the time that was lost because ticks were late, by skipping and slowing down, and who took it} Known when it is closed. */
    public TakenTime lost() {
        return ledger.lost();
    }
}
