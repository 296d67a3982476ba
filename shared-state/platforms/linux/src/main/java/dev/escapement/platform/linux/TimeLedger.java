package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Accounts for the time of ticks: how much each took itself, and how much others took from it, by what the system and the JVM count for its
 * thread. The only place where this is computed.
 *
 * <p>A tick has the time from when it was due, or from the end of the tick before if that was later, until its own end. In that time the
 * thread
 * <ul>
 *   <li><b>ran</b>: the tick took it. Before a tick that starts late, only what is more than a pacer spins;
 *   <li><b>waited for a core</b>: others had it, or the kernel, which withholds 5 % from a thread of real-time priority that never waits;
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

    private record Row(
            long tick,
            long due,
            long started,
            long ended,
            long skipped,
            long slowed,
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
                    row.get(TickMetric.SLOWED_NANOS),
                    row.get(TickMetric.PERIOD_NANOS),
                    row.get(TickMetric.WAITED_BEFORE_NANOS),
                    row.get(TickMetric.RAN_BEFORE_NANOS),
                    row.get(TickMetric.WAITED_NANOS),
                    row.get(TickMetric.RAN_NANOS));
        }

        boolean isLate() {
            return ended - due > period;
        }
    }

    private final LinuxCounts machine;
    private final TimeWatch.Listener listener;
    private final Deque<Row> waiting = new ArrayDeque<>();
    private TakenTime lost = TakenTime.NONE;
    private TakenTime all = TakenTime.NONE;

    // Of the ticks that are judged together, so far.
    private TakenTime taken = TakenTime.NONE;
    private long allowedNanos;

    /** The parts of the last time that was lost: those of a tick that is late because of it. */
    private TakenTime lastLost = TakenTime.NONE;

    private long endedNanos;
    private boolean hasEnded;

    TimeLedger(LinuxCounts machine, TimeWatch.Listener listener) {
        this.machine = machine;
        this.listener = listener;
    }

    /** Adds a tick, which is judged later: pauses of the JVM are known a moment after they were. */
    void add(MetricRing<TickMetric>.Reader row) {
        waiting.add(Row.of(row));
    }

    /** Judges ticks that ended before an instant. */
    void judge(long untilNanos) {
        while (!waiting.isEmpty() && waiting.getFirst().ended - untilNanos < 0) {
            judge(waiting.remove());
        }
    }

    /** Judges all ticks that were added, at the end of a run. */
    void judgeAll() {
        while (!waiting.isEmpty()) {
            judge(waiting.remove());
        }
    }

    /** Whether a tick waits to be judged that was late. */
    boolean hasLate() {
        return waiting.stream().anyMatch(Row::isLate);
    }

    /** The time that was lost by skipping and slowing down, of all ticks that were judged, by who took it. */
    TakenTime lost() {
        return lost;
    }

    /** The time of all ticks that were judged, by who took it. */
    TakenTime all() {
        return all;
    }

    private void judge(Row row) {
        lose(row.slowed); // by the ticks before
        long from = row.due;
        if (hasEnded && endedNanos - row.due > 0) {
            from = endedNanos;
        } else {
            judgeAnew();
        }
        TakenTime ofTick = taken(row, from);
        if (row.isLate()) {
            listener.late(row.tick, from, row.ended, ofTick);
        }
        all = all.plus(ofTick);
        taken = taken.plus(ofTick);
        allowedNanos += row.period;
        lose(row.skipped);
        endedNanos = row.ended;
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

    /** Who took the time of a tick, from an instant on. */
    private TakenTime taken(Row row, long from) {
        boolean isReadAtStart = row.ranBefore != ThreadTimes.NOT_COUNTED || row.waitedBefore != ThreadTimes.NOT_COUNTED;
        long start = from + (isReadAtStart ? Math.max(0, row.started - from) : 0);
        long spun = hasEnded ? bounded(from - endedNanos, MAX_SPIN_NANOS) : 0;
        // Of a tick that started in time both are counted from the end of the tick before: what is more than there is
        // time for was before it was due. A pacer spins for a moment then; the rest was a wait.
        long early = bounded(row.waited + row.ran - (row.ended - start), spun);
        boolean isCounted = row.waited != ThreadTimes.NOT_COUNTED && row.ran != ThreadTimes.NOT_COUNTED;
        return part(from, start, row.ranBefore - spun, row.waitedBefore, false)
                .plus(part(start, row.ended, row.ran - early, row.waited, isCounted));
    }

    /** Who took a time in which the thread ran and waited for a core so long. What is left then is its own, or not known. */
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
