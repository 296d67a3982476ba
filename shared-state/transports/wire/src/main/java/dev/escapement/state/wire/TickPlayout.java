package dev.escapement.state.wire;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a sender's ticks when they are due here: arrived ticks, and predictions of the others.
 *
 * <pre>
 *   waiting --all of the world is known--&gt; playing &lt;--a newer tick-- standing
 *                                            playing --nothing newer: a pause, or silence--&gt; standing
 *   any --another world--&gt; a tick without bodies, then standing until all of that world is known
 * </pre>
 *
 * <p>One thread, except {@link #tickShift()}.
 */
final class TickPlayout {

    /** The number of snapshots that readers see at a time: a view that looks ahead needs this many. */
    static final int WINDOW_SIZE = 4;

    private static final double LONGEST_FILLED_SECONDS = 0.25;

    /** If the picture is older than necessary by more than this, ticks are left out. */
    private static final long SKIP_NANOS = 100_000_000;

    /** If the next tick should be due later than at the usual pace by more than this, time stands still before it. */
    private static final long STAND_NANOS = 500_000_000;

    static final long IDLE_NANOS = 5_000_000;

    private final SnapshotDecoder decoder;
    private final PlayoutDelay delay;
    private final ReceiverMetrics metrics;
    final SnapshotExchange exchange;
    private final SnapshotWriter writer;
    private final ReceivedBodies bodies;
    private final Capture capture;
    private final PlayoutTimeline due;
    private final int maxFilled;
    private boolean started;

    /** Whether ticks of this stream are published. Before that, all of the world must have arrived. */
    private boolean joined;

    /** Whether a tick without bodies comes next, because another world follows. */
    private boolean empties;

    private long lastTick;

    /** The next tick's local number minus its number at the sender. */
    private long shift;

    /** The {@link #shift} of the last published tick. Volatile: any thread may read it. It orders nothing else. */
    private volatile long shownShift;

    private int filledInARow;

    /** Whether the last tick was published again with a new number. */
    private boolean showsAgain;

    /** The number of published arrived ticks of this stream. The first may be old: only the second shows that the sender's time runs. */
    private long arrivedTicks;

    // The newest arrived tick that was published, and its due time at the sender.
    private long anchorTick;
    private long anchorDueNanos;

    TickPlayout(
            SnapshotDecoder decoder,
            PlayoutDelay delay,
            ReceiverMetrics metrics,
            StreamInfo info,
            SnapshotExchange exchange) {
        this.decoder = decoder;
        this.delay = delay;
        this.metrics = metrics;
        this.exchange = exchange;
        writer = exchange.writer();
        bodies = new ReceivedBodies(decoder, info.rate().dtSeconds());
        capture = new Capture(bodies, info.layout(), info.rate(), 0);
        due = new PlayoutTimeline(info.rate());
        maxFilled = (int) Math.ceil(LONGEST_FILLED_SECONDS / info.rate().dtSeconds());
    }

    /** Notes that another sender follows, with the same world or another one. */
    void beginStream(boolean isSameWorld) {
        empties |= started && !isSameWorld;
        joined = false;
    }

    long tickShift() {
        return shownShift;
    }

    /** Publishes the ticks that are due. Returns when to call this again at the latest, unless a packet comes. */
    long run(long nowNanos) {
        if ((!started && !join(nowNanos)) || (due.isStanding() && !resume(nowNanos))) {
            return nowNanos + IDLE_NANOS;
        }
        while (!due.isStanding() && nowNanos - due.dueNanos(lastTick + 1) >= 0) {
            if (isUnfinished()) {
                showAgain();
            }
            if (stands() || isFar()) {
                due.stand(lastTick);
                writer.publishTimeline(due.timeline());
            } else {
                publish(nowNanos);
            }
        }
        return due.isStanding() ? nowNanos + IDLE_NANOS : due.dueNanos(lastTick + 1);
    }

    /** Begins with the newest tick of a stream, if all of the world is known. */
    private boolean join(long nowNanos) {
        long first = decoder.newestTick();
        if (!delay.isKnown() || !decoder.knowsAll(first)) {
            return false;
        }
        if (!started) {
            started = true;
            lastTick = first - 1;
            due.start(lastTick, nowNanos);
        }
        begin(first);
        joined = true;
        arrivedTicks = 0;
        return true;
    }

    private void begin(long first) {
        if (first != senderTick() + 1) {
            bodies.skip();
        }
        shift = lastTick + 1 - first;
        anchor(first);
        filledInARow = 0;
    }

    private void anchor(long tick) {
        anchorTick = tick;
        anchorDueNanos = decoder.dueNanos(tick);
    }

    /**
     * Returns when a tick should be due here. If the sender leaves out ticks, that is late enough for the next sent tick to have arrived.
     */
    private long desiredNanos(long tick) {
        int leftOut = Math.max(0, decoder.info().ticksPerSend() - 1);
        return decoder.dueNanos(tick) + delay.nanos() + leftOut * due.periodNanos();
    }

    /** Returns how much later than at the usual pace the next tick should be due; extrapolates from the newest tick if it is missing. */
    private long lateNanos() {
        long next = senderTick() + 1;
        long known = decoder.kept(next) == null ? decoder.newestTick() : next;
        return desiredNanos(known) + (next - known) * due.periodNanos() - due.dueNanos(lastTick + 1);
    }

    /** Returns whether the sender's time seems to have stood still. If its clock was set instead, newer delays will show it. */
    private boolean isFar() {
        return joined && lateNanos() > STAND_NANOS;
    }

    /**
     * Returns the first known tick after the last published one that is due at {@code nanos} or later; the newest known tick if there is
     * none.
     */
    private long firstDue(long nanos) {
        long newest = decoder.newestTick();
        long first = newest;
        for (long tick = newest - 1; tick > Math.max(senderTick(), newest - SnapshotEncoder.TICKS); tick--) {
            if (decoder.kept(tick) != null && desiredNanos(tick) - nanos >= 0) {
                first = tick;
            }
        }
        return first;
    }

    private long senderTick() {
        return lastTick - shift;
    }

    /** Returns whether there is nothing to show after the last tick: the sender's time stands still, or nothing was heard for long. */
    private boolean stands() {
        if (empties || (joined && metrics.get(ReceiverMetric.TICKS) < WINDOW_SIZE)) {
            return false; // readers see nothing before a whole window of ticks is published
        }
        boolean isFirst = arrivedTicks <= 1;
        return !joined
                || (decoder.newestTick() <= senderTick() && (isPaused() || isFirst || filledInARow >= maxFilled));
    }

    private boolean isPaused() {
        return decoder.info().standsStill() && decoder.info().newestTick() <= senderTick();
    }

    /**
     * Returns whether the sender's time stands still at a tick that was shown with predicted poses or fading errors. No later tick will
     * correct them.
     */
    private boolean isUnfinished() {
        long newest = decoder.newestTick();
        return joined
                && !bodies.isTrue()
                && metrics.get(ReceiverMetric.TICKS) >= WINDOW_SIZE
                && isPaused()
                && newest >= decoder.info().newestTick()
                && newest <= senderTick()
                && decoder.isWhole(newest);
    }

    /** Shows the newest tick again with the next number, so that bodies fade to their true poses. */
    private void showAgain() {
        if (!showsAgain) {
            bodies.skip();
        }
        showsAgain = true;
        shift = lastTick + 1 - decoder.newestTick();
        anchor(decoder.newestTick());
        filledInARow = 0;
    }

    private boolean resume(long nowNanos) {
        if (empties || isUnfinished()) {
            due.resume(lastTick, nowNanos);
            return true;
        }
        if ((!joined && !join(nowNanos)) || decoder.newestTick() <= senderTick() || !delay.isKnown()) {
            return false;
        }
        long first = firstDue(nowNanos);
        long afterNanos = desiredNanos(first) - nowNanos;
        if (afterNanos > due.periodNanos() + IDLE_NANOS) {
            return false; // the delay may change before the tick is due
        }
        begin(first);
        due.resume(lastTick, nowNanos + Math.max(0, afterNanos));
        return true;
    }

    private void publish(long nowNanos) {
        long tick = lastTick + 1;
        long fromSender = senderTick() + 1;
        showsAgain &= fromSender == anchorTick;
        WireTick kept = joined ? decoder.kept(fromSender) : null;
        WritableSnapshot snapshot = writer.nextSnapshot();
        snapshot.startTick(tick, due.dueNanos(tick));
        Snapshot latest = writer.latest();
        if (kept != null) {
            snapshot.inputsTaken(kept.inputsTaken);
        } else if (latest != null) {
            snapshot.inputsTaken(latest.inputsTaken());
        }
        capture(snapshot, latest, fromSender);
        shownShift = shift;
        writer.publish(due.timeline(), nowNanos);
        lastTick = tick;
        metrics.add(ReceiverMetric.TICKS, 1);
        empties = false;
        filledInARow = kept == null ? filledInARow + 1 : 0;
        if (joined && !showsAgain) {
            follow(kept);
        }
    }

    private void capture(WritableSnapshot snapshot, @Nullable Snapshot latest, long fromSender) {
        bodies.next(fromSender, latest, snapshot, empties);
        try {
            capture.captureInto(snapshot, latest);
        } catch (Exception e) {
            throw new IllegalStateException("tick " + fromSender + " of the sender cannot be written", e);
        }
        snapshot.seal();
        if (!bodies.isTrue()) {
            snapshot.markPredicted();
        }
        metrics.set(ReceiverMetric.CLAMPED_BODIES, bodies.clampedBodies());
        if (!bodies.isWhole()) {
            metrics.add(ReceiverMetric.FILLED_TICKS, 1);
        }
    }

    /** Adjusts time so that the next tick is due near its desired time. */
    private void follow(@Nullable WireTick kept) {
        long fromSender = senderTick();
        if (kept != null) {
            arrivedTicks++;
            scale(kept);
            anchor(fromSender);
        }
        long next = fromSender + 1;
        long newest = decoder.newestTick();
        long dueNanos = due.dueNanos(lastTick + 1);
        long ahead = newest - next;
        if (ahead >= SnapshotEncoder.TICKS
                || (ahead > 0 && desiredNanos(newest) - ahead * due.periodNanos() - dueNanos < -SKIP_NANOS)) {
            begin(firstDue(dueNanos));
        } else if (!isFar()) {
            long skippedNanos = decoder.dueNanos(next) - anchorDueNanos - (next - anchorTick) * due.periodNanos();
            boolean skipped = decoder.kept(next) != null && skippedNanos > due.periodNanos() / 2;
            due.follow(lastTick, dueNanos + lateNanos(), skipped);
        }
    }

    private void scale(WireTick kept) {
        try {
            due.senderScale(kept.scaleNumerator, kept.scaleDenominator, lastTick);
        } catch (IllegalArgumentException noScale) {
            metrics.add(ReceiverMetric.REFUSED_PACKETS, 1);
        }
    }
}
