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

    /** Due times that were rounded from different origins differ by less than this, and speeds by more. */
    private static final long ROUNDING_NANOS = 1000;

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

        boolean isLate() {
            return ended - due > period;
        }
    }

    private final MachineCounts machine;
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
        long onTime = row.due + row.period + row.skipped;
        judge(row, next == null ? 0 : next.due - onTime);
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

    /** Judges a tick after which the next one is due so much later than without slowing down; or time stood still. */
    private void judge(Row row, long slowedNanos) {
        long from = hasEnded && endedNanos - row.due > 0 ? endedNanos : row.due;
        TakenTime ofTick = taken(row, from);
        if (row.isLate()) {
            listener.late(row.tick, from, row.ended, ofTick);
        }
        all = all.plus(ofTick);
        taken = taken.plus(ofTick);
        allowedNanos += row.period;
        TakenTime missing = taken.beyond(allowedNanos);
        // Where time stood still, no more of that than is missing.
        long slowed = slowedNanos > ROUNDING_NANOS ? bounded(missing.totalNanos() - row.skipped, slowedNanos) : 0;
        if (row.skipped + slowed > 0) {
            lastLost = missing.totalNanos() > 0 ? missing : lastLost;
            lost = lost.plus(lastLost.scaledTo(row.skipped + slowed));
        }
        boolean isIdleAfter = row.ended - (row.due + row.period + row.skipped + slowedNanos) < 0;
        if (row.skipped + slowed > 0 || isIdleAfter) {
            taken = TakenTime.NONE;
            allowedNanos = 0;
        }
        endedNanos = row.ended;
        hasEnded = true;
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
