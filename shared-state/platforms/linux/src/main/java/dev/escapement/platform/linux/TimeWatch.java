package dev.escapement.platform.linux;

import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who takes the time of a physics thread: its ticks themselves, other threads and programs, or the JVM. The watch reads counters:
 * Linux counts how long a thread runs and waits for a core, and the time that a hypervisor steals; the Flight Recorder records the pauses
 * of the JVM. On other systems the JVM counts how long a thread runs, and most other causes stay unknown, as pauses do without {@code
 * jdk.jfr}.
 *
 * <pre>{@code
 * TimeWatch watch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
 * run();
 * watch.close();
 * System.out.println(watch.lost().inPercent()); // ticks took too long themselves (62 %), the JVM paused (38 %)
 * }</pre>
 *
 * <p>A separate thread reads the counters twenty times a second. The physics thread reads two counters after each tick, and before a late
 * one. One thread starts and closes a watch.
 */
public final class TimeWatch implements AutoCloseable {

    private static final long LOOK_NANOS = 50_000_000;

    /**
     * The maximum time for which a tick waits to be judged. If the recorder has reported nothing until then, the tick is judged without
     * pauses of the JVM.
     */
    private static final long JUDGED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Receives the findings, some seconds after the fact. Threads of the watch call it. */
    public interface Listener {

        /** Ignores all findings. */
        Listener NONE = new Listener() {};

        /**
         * Receives a tick that ended after the next one was due.
         *
         * @param tick      the number of the tick, as readers count
         * @param fromNanos when the tick was due, or when the tick before ended if that was later; an instant of the clock
         * @param toNanos   when the tick ended
         * @param taken     who took the time in between
         */
        default void late(long tick, long fromNanos, long toNanos, TakenTime taken) {}

        /**
         * Receives a pause of the JVM.
         *
         * @param fromNanos when the JVM had stopped its threads; an instant of the clock
         * @param toNanos   when the threads continued
         * @param name      the JVM's operation meanwhile
         */
        default void paused(long fromNanos, long toNanos, String name) {}
    }

    private final LinuxCounts counts = new LinuxCounts(Path.of("/proc"));
    private final MetricRing<TickMetric>.Reader ticks;
    private final TimeLedger ledger;
    private final @Nullable JvmPauses pauses; // null on a Java runtime without JFR
    private final Thread thread = new Thread(this::look, "escapement-time-watch");

    /** The end of the last tick. The watching thread writes it until it ends, then the closing thread. */
    private long endedNanos;

    // Volatile: the closing thread writes it, and the watching thread reads it twenty times a second.
    private volatile boolean ending;

    private TimeWatch(MetricRing<TickMetric> ring, Listener listener) {
        ticks = ring.newReader();
        ledger = new TimeLedger(counts, listener);
        pauses = newPauses(counts, listener);
        thread.setDaemon(true);
    }

    private static @Nullable JvmPauses newPauses(LinuxCounts counts, Listener listener) {
        try {
            return new JvmPauses(counts, listener);
        } catch (NoClassDefFoundError withoutJfr) {
            return null;
        }
    }

    /**
     * Starts a watch. The first call takes a fraction of a second.
     *
     * @param ticks    the metrics of the ticks, whose clock is {@link System#nanoTime()}
     * @param listener receives the findings
     * @return the watch, to be closed
     */
    public static TimeWatch start(MetricRing<TickMetric> ticks, Listener listener) {
        TimeWatch watch = new TimeWatch(ticks, listener);
        if (watch.pauses != null) {
            watch.pauses.start();
        }
        watch.thread.start();
        return watch;
    }

    private void look() {
        while (!ending) {
            long nowNanos = System.nanoTime();
            counts.look(nowNanos);
            take();
            long reportedNanos = pauses == null ? nowNanos : pauses.reportedUntilNanos();
            ledger.judge(Math.max(reportedNanos, nowNanos - JUDGED_AFTER_NANOS));
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void take() {
        while (ticks.next()) {
            endedNanos = ticks.get(TickMetric.ENDED_NANOS);
            ledger.add(ticks);
        }
    }

    /**
     * Ends the watch, and judges all ticks that have ended. Waits some seconds for reports of JVM pauses if ticks were late. Idempotent.
     */
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
        if (pauses != null) {
            if (ledger.hasLate()) {
                pauses.awaitReported(endedNanos);
            }
            pauses.close();
        }
        ledger.judgeAll();
    }

    /** {@return the time of all ticks from their due times to their ends, divided by who took it} Known once the watch is closed. */
    public TakenTime all() {
        return ledger.all();
    }

    /** {@return the time that late ticks lost by skipping and slowing down, divided by who took it} Known once the watch is closed. */
    public TakenTime lost() {
        return ledger.lost();
    }
}
