package dev.escapement.bench.flood;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;

/**
 * Checks the input of ticks against what was promised, knowing nothing but the ticks' due times and their length: within a tick the
 * events stand in the order of their times, ties in the order of their sequence; none comes before its time; late is what happened up
 * to the tick before; and where in the tick each happened is exact to the nanosecond.
 *
 * <p>Physics thread only, until it has ended. Allocates nothing. For ticks of one speed whose time never stands still.
 */
final class InputCheck {

    private final Arrivals[] producers;
    private final long periodNanos;
    private long previousDueNanos;
    private long ticks;
    private int mostInATick;
    private long late;
    private long disordered;
    private long misplaced;
    private long foreign;

    /** A check for so many producers, and ticks of a length. */
    InputCheck(int producers, long periodNanos) {
        this.producers = new Arrivals[producers];
        for (int i = 0; i < producers; i++) {
            this.producers[i] = new Arrivals();
        }
        this.periodNanos = periodNanos;
    }

    /** Checks a tick, the one after the last that was checked. */
    void check(InputFrame input, long dueNanos) {
        if (input.lengthNanos() != periodNanos) {
            misplaced++;
        }
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (i > 0 && !follows(event, input.event(i - 1))) {
                disordered++;
            }
            checkPlaceInTick(event, dueNanos);
            arrive(event);
        }
        mostInATick = Math.max(mostInATick, input.size());
        previousDueNanos = dueNanos;
        ticks++;
    }

    private static boolean follows(InputEvent event, InputEvent before) {
        long laterNanos = event.timeNanos() - before.timeNanos();
        return laterNanos > 0 || (laterNanos == 0 && event.sequence() > before.sequence());
    }

    private void checkPlaceInTick(InputEvent event, long dueNanos) {
        boolean early = event.timeNanos() - dueNanos > 0;
        boolean isLate = ticks > 0 && event.timeNanos() - previousDueNanos <= 0;
        long beganNanos = dueNanos - periodNanos; // later than the previous due time where time was given up
        long offsetNanos = isLate ? 0 : Math.max(0, event.timeNanos() - beganNanos);
        if (early || event.isLate() != isLate || event.offsetNanos() != offsetNanos) {
            misplaced++;
        }
        if (isLate) {
            late++;
        }
    }

    private void arrive(InputEvent event) {
        int producer = EventTag.producer(event.code());
        if (producer >= producers.length) {
            foreign++;
            return;
        }
        producers[producer].add(
                event.timeNanos(), EventTag.number(event.code(), event.x()), EventTag.place(event.code(), event.y()));
    }

    /** What arrived of one producer. */
    Arrivals arrivals(int producer) {
        return producers[producer];
    }

    long ticks() {
        return ticks;
    }

    int mostInATick() {
        return mostInATick;
    }

    /** Events that arrived after the tick they belonged to. */
    long late() {
        return late;
    }

    /** Events that stand before another which they should follow. */
    long disordered() {
        return disordered;
    }

    /** Events that are not where in their tick they happened, and ticks of another length. */
    long misplaced() {
        return misplaced;
    }

    /** Events that no producer offered. */
    long foreign() {
        return foreign;
    }
}
