package dev.escapement.physics;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which tick comes next and when, and what happens to deadlines that were missed: they are given up and the phase
 * of the others stays (the policy known as SKIP), or every one of them is run late. Tick numbers stay consecutive.
 *
 * <p>Physics thread only, except {@link #givenUpTicks()}.
 */
final class TickSchedule {

    private final Timeline timeline;
    private final boolean givesUpMissedTicks;
    private long nextTick = 1;

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong givenUpTicks = new AtomicLong();

    TickSchedule(TickRate rate, boolean givesUpMissedTicks) {
        timeline = new Timeline(rate);
        this.givesUpMissedTicks = givesUpMissedTicks;
    }

    void start(long nanos) {
        timeline.start(nanos);
    }

    Timeline timeline() {
        return timeline;
    }

    long nextTick() {
        return nextTick;
    }

    long nextDueNanos() {
        return timeline.dueNanos(nextTick);
    }

    /** Ends the current tick, at an instant of the clock. */
    void finish(long nowNanos) {
        long missed = timeline.lastTickDueBefore(nowNanos) - nextTick;
        if (givesUpMissedTicks && missed > 0) {
            timeline.giveUp(nextTick, missed);
            addGivenUp(missed);
        }
        nextTick++;
    }

    /** Accounts for what was due before the end and will never run. */
    void end(long endNanos) {
        addGivenUp(timeline.lastTickDueBefore(endNanos) - (nextTick - 1));
    }

    long givenUpTicks() {
        return givenUpTicks.getOpaque();
    }

    private void addGivenUp(long ticks) {
        givenUpTicks.setOpaque(givenUpTicks.getPlain() + Math.max(0, ticks));
    }
}
