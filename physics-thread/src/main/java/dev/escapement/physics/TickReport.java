package dev.escapement.physics;

import dev.escapement.physics.flight.FlightEvents;
import dev.escapement.state.input.InputRing;

/**
 * Tells those who watch what happened in a tick: the statistics, the Flight Recorder, and the user's listener last, whose time
 * is nobody's but the tick's.
 *
 * <p>Physics thread only.
 */
final class TickReport {

    private final PhysicsStats stats;
    private final TickListener listener;
    private final TickSchedule schedule;
    private final InputRing input;
    private final CommandQueue commands;
    private final CommandQueue queries;
    private final FlightEvents flight;

    TickReport(TickParts parts, TickListener listener) {
        stats = parts.stats;
        schedule = parts.schedule;
        input = parts.input;
        flight = new FlightEvents(input.rejected());
        commands = parts.commands;
        queries = parts.queries;
        this.listener = listener;
    }

    void begin() {
        flight.begin();
    }

    /** After the publish; {@code overrunNanos} is how long after the next tick was due that was, negative if before. */
    void ticked(
            long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos, long overrunNanos) {
        stats.ticked(dueNanos, startedNanos, steppedNanos, publishedNanos, overrunNanos > 0);
        flight.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos, overrunNanos);
        flight.givenUp(tick, schedule.givenUpTicks(), schedule.givenUpNanos());
        flight.refused(tick, input.rejected(), commands.refused() + queries.refused());
        listener.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
    }
}
