package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Accounts for the time of ticks: the part that each took itself, and the parts that others took from it.
 *
 * <p>The account of a tick covers the time from its due time, or from the end of the tick before if that was later, until its own end.
 * In that time the thread
 * <ul>
 *   <li><b>ran</b>: the tick took the time. Before a tick that starts late, a pacer may have spun; only running beyond that counts.
 *   <li><b>waited for a core</b>: others had the core, or the kernel, which withholds 5 % from a real-time thread that never waits.
 *   <li><b>did neither</b>: a known pause of the JVM took the time; else a hypervisor did, as far as Linux counts that; else the tick slept
 *       or waited for something, which is its own time. Before the start of a late tick, the thread had nothing to do, and the cause is
 *       unknown.
 * </ul>
 *
 * <p>Ticks without idle time between them are judged together, because after a tick of 17 ms, for example, too little of two 10 ms periods
 * is left for a tick of 7 ms. If the ticks' own time alone exceeds their periods, it is to blame for that excess; others are to blame for
 * the rest. Time that is skipped or slowed down after these ticks is lost in the same parts.
 *
 * <p>One thread.
 */
final class TimeLedger {

    /** The longest spin of a pacer before a tick is due. */
    private static final long MAX_SPIN_NANOS = 1_000_000;

    private record Row(Map<TickMetric, Long> values) {

        Row(MetricRing<TickMetric>.Reader row) {
            this(Stream.of(TickMetric.values()).collect(Collectors.toMap(metric -> metric, row::get)));
        }

        private long get(TickMetric metric) {
            return values.getOrDefault(metric, 0L);
        }

        boolean isLate() {
            return get(TickMetric.ENDED_NANOS) - get(TickMetric.DUE_NANOS) > get(TickMetric.PERIOD_NANOS);
        }
    }

    private final LinuxCounts machine;
    private final TimeWatch.Listener listener;
    private final Deque<Row> waiting = new ArrayDeque<>();
    private TakenTime lost = TakenTime.NONE;
    private TakenTime all = TakenTime.NONE;

    // The sums so far over the ticks that are judged together.
    private TakenTime taken = TakenTime.NONE;
    private long allowedNanos;

    /** The division of the last lost time. Later ticks that are late because of it lose time in the same proportions. */
    private TakenTime lastLost = TakenTime.NONE;

    private long endedNanos;
    private boolean hasEnded;

    TimeLedger(LinuxCounts machine, TimeWatch.Listener listener) {
        this.machine = machine;
        this.listener = listener;
    }

    /** Adds a tick. The ledger judges it later, because the recorder reports pauses of the JVM with a delay. */
    void add(MetricRing<TickMetric>.Reader row) {
        waiting.add(new Row(row));
    }

    void judge(long untilNanos) {
        while (!waiting.isEmpty() && waiting.getFirst().get(TickMetric.ENDED_NANOS) - untilNanos < 0) {
            judge(waiting.remove());
        }
    }

    void judgeAll() {
        while (!waiting.isEmpty()) {
            judge(waiting.remove());
        }
    }

    boolean hasLate() {
        return waiting.stream().anyMatch(Row::isLate);
    }

    TakenTime lost() {
        return lost;
    }

    TakenTime all() {
        return all;
    }

    private void judge(Row row) {
        // The time by which earlier late ticks slowed time down before this tick.
        lose(row.get(TickMetric.SLOWED_NANOS));
        long from = row.get(TickMetric.DUE_NANOS);
        long ended = row.get(TickMetric.ENDED_NANOS);
        if (hasEnded && endedNanos - from > 0) {
            from = endedNanos;
        } else {
            judgeAnew();
        }
        TakenTime ofTick = taken(row, from);
        if (row.isLate()) {
            listener.late(row.get(TickMetric.TICK), from, ended, ofTick);
        }
        all = all.plus(ofTick);
        taken = taken.plus(ofTick);
        allowedNanos += row.get(TickMetric.PERIOD_NANOS);
        lose(row.get(TickMetric.SKIPPED_NANOS));
        endedNanos = ended;
        hasEnded = true;
    }

    private void lose(long nanos) {
        if (nanos > 0) {
            TakenTime missing = taken.beyond(allowedNanos);
            lastLost = missing.totalNanos() > 0 ? missing : lastLost;
            lost = lost.plus(lastLost.scaledTo(nanos));
            judgeAnew();
        }
    }

    private void judgeAnew() {
        taken = TakenTime.NONE;
        allowedNanos = 0;
    }

    /** Divides the time of a tick, from an instant on, by who took it. */
    private TakenTime taken(Row row, long from) {
        long ended = row.get(TickMetric.ENDED_NANOS);
        long waited = row.get(TickMetric.WAITED_NANOS);
        long ran = row.get(TickMetric.RAN_NANOS);
        long waitedBefore = row.get(TickMetric.WAITED_BEFORE_NANOS);
        long ranBefore = row.get(TickMetric.RAN_BEFORE_NANOS);
        boolean isReadAtStart = ranBefore != ThreadTimes.NOT_COUNTED || waitedBefore != ThreadTimes.NOT_COUNTED;
        long start = from + (isReadAtStart ? Math.max(0, row.get(TickMetric.STARTED_NANOS) - from) : 0);
        long spun = hasEnded ? bounded(from - endedNanos, MAX_SPIN_NANOS) : 0;
        // The counters of a tick that started in time begin at the end of the tick before. The part of their counts
        // that exceeds the elapsed time was spent before the due time. A pacer spins for a moment then; the rest was a
        // wait.
        long early = bounded(waited + ran - (ended - start), spun);
        boolean isCounted = waited != ThreadTimes.NOT_COUNTED && ran != ThreadTimes.NOT_COUNTED;
        return part(from, start, ranBefore - spun, waitedBefore, false)
                .plus(part(start, ended, ran - early, waited, isCounted));
    }

    /** Divides the time between two instants. The rest after running, waiting, pauses and stolen time is the tick's own, or unknown. */
    private TakenTime part(long from, long to, long ranNanos, long waitedNanos, boolean isOwn) {
        long ran = bounded(ranNanos, to - from);
        long waited = bounded(waitedNanos, to - from - ran);
        long left = to - from - ran - waited;
        long paused = bounded(machine.pausedNanos(from, to), left);
        long stolen = machine.takeStolenNanos(from, to, left - paused);
        left -= paused + stolen;
        return new TakenTime(isOwn ? ran + left : ran, waited + stolen, paused, isOwn ? 0 : left);
    }

    private static long bounded(long nanos, long max) {
        return Math.max(0, Math.min(nanos, max));
    }
}
