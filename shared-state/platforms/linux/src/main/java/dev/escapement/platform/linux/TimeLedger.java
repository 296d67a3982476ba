package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Accounts for the time of ticks: how much each took itself, and how much others took from it, by what the system and the JVM count for its
 * thread. The only place where this is computed.
 *
 * <p>A tick has the time from when it was due, or from the end of the tick before if that was later, until its own end. In that time the
 * thread
 * <ul>
 *   <li><b>ran</b>: the tick took it. Before a tick that starts late, only what is more than a pacer spins;
 *   <li><b>waited for a core</b>: others had it. Except with real-time priority: a thread that ran for all of a second that the kernel lets
 *       it run waits because it was throttled, and has caused that itself;
 *   <li><b>did neither</b>: the JVM had stopped it, as far as pauses are known of that time; a hypervisor had the core, as far as it counts
 *       that; else the tick slept or waited for something, which is its own time, or started late although its thread was free, which is not
 *       known.
 * </ul>
 *
 * <p>Ticks without idle time between them, because each ended after the next was due, are judged together: a tick of 17 ms leaves less than
 * enough to one of 7. If all they took is more than their periods, what is missing was taken by their own time as far as that alone is more,
 * and else by what the others took. Where time was given up or slowed down after them, that much is lost, in these parts.
 *
 * <p>One thread.
 */
final class TimeLedger {

    /** So long a pacer spins at most before a tick is due, in nanoseconds. */
    private static final long MAX_SPIN_NANOS = 1_000_000;

    /** Due times that were rounded from different origins differ by less than this, and speeds by more. */
    private static final long ROUNDING_NANOS = 1000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A throttled thread has run for this much of the time that it may run: its ticks do not fill each moment. */
    private static final double THROTTLED_SHARE = 0.9;

    private record Row(
            long tick,
            long due,
            long started,
            long ended,
            long skipped,
            long period,
            long waitedBefore,
            long ranBefore,
            long waited,
            long ran) {

        private static Row of(MetricRing<TickMetric>.Reader row) {
            return new Row(
                    row.get(TickMetric.TICK),
                    row.get(TickMetric.DUE_NANOS),
                    row.get(TickMetric.STARTED_NANOS),
                    row.get(TickMetric.ENDED_NANOS),
                    row.get(TickMetric.SKIPPED_NANOS),
                    row.get(TickMetric.PERIOD_NANOS),
                    row.get(TickMetric.WAITED_BEFORE_NANOS),
                    row.get(TickMetric.RAN_BEFORE_NANOS),
                    row.get(TickMetric.WAITED_NANOS),
                    row.get(TickMetric.RAN_NANOS));
        }
    }

    /** What a thread did in a second: when that was, how long it ran, and how long it was throttled. */
    private record Done(long ended, long ran, long throttled) {}

    private final MachineCounts machine;
    private final TimeWatch.Listener listener;
    private final Deque<Row> waiting = new ArrayDeque<>();
    private final Deque<Done> lastSecond = new ArrayDeque<>();
    private long ranInSecond;
    private long throttledInSecond;
    private TakenTime lost = TakenTime.NONE;
    private TakenTime all = TakenTime.NONE;

    // Of the ticks that are judged together, so far.
    private TakenTime taken = TakenTime.NONE;
    private long allowedNanos;

    /** The parts of the last time that was lost: those of a tick that is late because of it. */
    private TakenTime lastLost = TakenTime.NONE;

    private long endedNanos;
    private boolean hasEnded;

    TimeLedger(MachineCounts machine, TimeWatch.Listener listener) {
        this.machine = machine;
        this.listener = listener;
    }

    /** Adds a tick, which is judged later: pauses of the JVM are known a moment after they were. */
    void add(MetricRing<TickMetric>.Reader row) {
        waiting.add(Row.of(row));
    }

    /** Judges ticks that ended before an instant. The last of all waits for the one after it. */
    void judge(long untilNanos) {
        while (waiting.size() > 1 && waiting.getFirst().ended - untilNanos < 0) {
            judgeFirst();
        }
    }

    /** Judges all ticks that were added, at the end of a run. */
    void judgeAll() {
        while (!waiting.isEmpty()) {
            judgeFirst();
        }
    }

    private void judgeFirst() {
        Row row = waiting.remove();
        Row next = waiting.peek();
        judge(row, next == null ? row.due + row.period + row.skipped : next.due);
    }

    /** Whether a tick waits to be judged that was late. */
    boolean hasLate() {
        return waiting.stream().anyMatch(row -> row.ended - row.due > row.period);
    }

    /** The time that was lost by skipping and slowing down, of all ticks that were judged, by who took it. */
    TakenTime lost() {
        return lost;
    }

    /** The time of all ticks that were judged, by who took it. */
    TakenTime all() {
        return all;
    }

    private void judge(Row row, long nextDue) {
        long from = hasEnded && endedNanos - row.due > 0 ? endedNanos : row.due;
        TakenTime ofTick = taken(row, from);
        if (row.ended - row.due > row.period) {
            listener.late(row.tick, from, row.ended, ofTick);
        }
        all = all.plus(ofTick);
        taken = taken.plus(ofTick);
        allowedNanos += row.period;
        TakenTime missing = taken.beyond(allowedNanos);
        long slowedNanos = nextDue - row.due - row.period - row.skipped; // or paused: no more of that than is missing
        long lostNanos = row.skipped
                + (slowedNanos > ROUNDING_NANOS
                        ? Math.min(slowedNanos, Math.max(0, missing.totalNanos() - row.skipped))
                        : 0);
        if (lostNanos > 0) {
            lastLost = missing.totalNanos() > 0 ? missing : lastLost;
            lost = lost.plus(lastLost.scaledTo(lostNanos));
        }
        if (lostNanos > 0 || row.ended - nextDue < 0) {
            taken = TakenTime.NONE;
            allowedNanos = 0;
        }
        endedNanos = row.ended;
        hasEnded = true;
    }

    /** Who took the time of a tick, from an instant on. */
    private TakenTime taken(Row row, long from) {
        boolean isReadAtStart = row.ranBefore != ThreadTimes.NOT_COUNTED || row.waitedBefore != ThreadTimes.NOT_COUNTED;
        long before = isReadAtStart ? Math.max(0, row.started - from) : 0;
        long waitedBefore = bounded(row.waitedBefore, before);
        long idle = hasEnded ? Math.max(0, from - endedNanos) : 0;
        long ranBefore = bounded(row.ranBefore - Math.min(idle, MAX_SPIN_NANOS), before - waitedBefore);
        TakenTime rest = rest(from, from + before, before - waitedBefore - ranBefore, false);

        long during = row.ended - from - before;
        // Of a tick that started in time both are counted from the end of the tick before: what is more than there is
        // time for was before it was due. A pacer spins for a moment then; the rest was a wait.
        long early = Math.max(0, row.waited + row.ran - during);
        long ran = bounded(row.ran - Math.min(early, Math.min(idle, MAX_SPIN_NANOS)), during);
        long waited = bounded(row.waited, during - ran);
        boolean isCounted = row.waited != ThreadTimes.NOT_COUNTED && row.ran != ThreadTimes.NOT_COUNTED;
        rest = rest.plus(rest(from + before, row.ended, during - waited - ran, isCounted));

        long throttled = throttled(row, waitedBefore + waited);
        return rest.plus(new TakenTime(ranBefore + ran + throttled, waitedBefore + waited - throttled, 0, 0));
    }

    private static long bounded(long nanos, long max) {
        return Math.max(0, Math.min(nanos, max));
    }

    /** Who took a time in which the thread neither ran nor waited for a core. */
    private TakenTime rest(long from, long to, long nanos, boolean isOwn) {
        long paused = bounded(machine.pausedNanos(from, to), nanos);
        long stolen = bounded(machine.takeStolenNanos(from, to, nanos - paused), nanos - paused);
        long left = nanos - paused - stolen;
        return new TakenTime(isOwn ? left : 0, stolen, paused, isOwn ? 0 : left);
    }

    /** How much of its waiting the thread has caused itself, because the kernel throttled it. */
    private long throttled(Row row, long waited) {
        long throttledNanos = machine.throttledNanos();
        while (!lastSecond.isEmpty() && row.ended - lastSecond.getFirst().ended > SECOND) {
            add(lastSecond.remove(), -1);
        }
        long ran = Math.max(0, row.ran) + Math.max(0, row.ranBefore);
        boolean isThrottled = throttledNanos > 0 && ranInSecond + ran > THROTTLED_SHARE * (SECOND - throttledNanos);
        long throttled = isThrottled ? bounded(throttledNanos - throttledInSecond, waited) : 0;
        Done done = new Done(row.ended, ran, throttled);
        lastSecond.add(done);
        add(done, 1);
        return throttled;
    }

    private void add(Done done, int sign) {
        ranInSecond += sign * done.ran;
        throttledInSecond += sign * done.throttled;
    }
}
