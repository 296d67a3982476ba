package dev.escapement.state.service;

/**
 * The figures of each tick of a running world, for instruments.
 *
 * <pre>{@code
 * FigureRing.Reader ticks = feed.tickFigures().newReader();
 * while (ticks.next()) {
 *     long lateNanos = ticks.get(TickFigure.STARTED_NANOS) - ticks.get(TickFigure.DUE_NANOS);
 * }
 * }</pre>
 *
 * @see TickFigure
 */
@FunctionalInterface
public interface TickFeed {

    /**
     * The figures of the latest ticks. Any thread may ask.
     *
     * @return a ring with one row for each tick and one column for each {@link TickFigure}; the same one for the life of the world
     */
    FigureRing tickFigures();
}
