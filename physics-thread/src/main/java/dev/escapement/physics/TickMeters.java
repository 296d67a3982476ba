package dev.escapement.physics;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.service.FigureRing;
import dev.escapement.state.service.TickFigure;

/**
 * All that measures a tick: the statistics, the events for the Flight Recorder, and the rows that instruments read.
 *
 * <p>Physics thread only, except for reading {@link #stats} and {@link #figures}. Allocates nothing after construction.
 */
final class TickMeters {

    /** How many ticks instruments may be behind: 10 s at 100 Hz. */
    private static final int ROWS = 1024;

    final PhysicsStats stats = new PhysicsStats();
    final FigureRing figures = new FigureRing(ROWS, TickFigure.values().length);
    private final FlightEvents flight = new FlightEvents();
    private long givenUpNanosBefore;

    /** Called when a tick starts. */
    void begin() {
        flight.begin();
    }

    /** Called when a tick was published and all of its work was done. */
    void ticked(TickTimes times, TickSchedule schedule) {
        stats.ticked(times);
        flight.ticked(times);
        flight.givenUp(times.tick, schedule.givenUpTicks(), schedule.givenUpNanos());
        figures.begin();
        figures.set(TickFigure.TICK, times.tick);
        figures.set(TickFigure.DUE_NANOS, times.dueNanos);
        figures.set(TickFigure.STARTED_NANOS, times.startedNanos);
        figures.set(TickFigure.STEPPED_NANOS, times.steppedNanos);
        figures.set(TickFigure.PUBLISHED_NANOS, times.publishedNanos);
        figures.set(TickFigure.GIVEN_UP_NANOS, schedule.givenUpNanos() - givenUpNanosBefore);
        givenUpNanosBefore = schedule.givenUpNanos();
    }

    /** Completes the row of the tick. */
    void ended(long endedNanos, long commands, int events, InputFrame input) {
        figures.set(TickFigure.ENDED_NANOS, endedNanos);
        figures.set(TickFigure.COMMANDS, commands);
        figures.set(TickFigure.EVENTS, events);
        figures.set(TickFigure.INPUTS, input.size());
        figures.set(
                TickFigure.FIRST_INPUT_NANOS,
                input.size() == 0 ? 0 : input.event(0).timeNanos());
        figures.end();
    }

    /** Called with what was refused so far. */
    void refused(long tick, long inputEvents, long commands) {
        flight.refused(tick, inputEvents, commands);
    }
}
