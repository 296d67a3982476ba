package dev.escapement.physics.flight;

/**
 * Writes the events of a tick to the Flight Recorder. Event objects are reused, so that a tick allocates nothing.
 *
 * <pre>
 *   java -XX:StartFlightRecording:filename=ticks.jfr ...
 *   jfr print --events dev.escapement.LateTick,dev.escapement.TimeGivenUp ticks.jfr
 * </pre>
 *
 * <p>Physics thread only.
 */
public final class FlightEvents {

    private final TickEvent tickEvent = new TickEvent();
    private final LateTickEvent lateTickEvent = new LateTickEvent();
    private final TimeGivenUpEvent timeGivenUpEvent = new TimeGivenUpEvent();
    private final RefusedEvent refusedEvent = new RefusedEvent();
    private long deadlinesBefore;
    private long givenUpNanosBefore;
    private long inputEventsBefore;
    private long commandsBefore;

    /** Creates the events of a physics thread. */
    public FlightEvents() {}

    /** Begins the event of a tick, when it starts. */
    public void begin() {
        tickEvent.begin();
    }

    /**
     * Writes the event of a tick that was published, and another one if it was late.
     *
     * @param tick           its number
     * @param dueNanos       when it was due
     * @param startedNanos   when it started
     * @param steppedNanos   when the simulation had stepped
     * @param publishedNanos when its snapshot was published
     * @param overrunNanos   how long that was after the next tick was due, negative if before
     */
    public void ticked(
            long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos, long overrunNanos) {
        tickEvent.end();
        if (tickEvent.shouldCommit()) {
            tickEvent.tick = tick;
            tickEvent.lateness = startedNanos - dueNanos;
            tickEvent.step = steppedNanos - startedNanos;
            tickEvent.capture = publishedNanos - steppedNanos;
            tickEvent.publishDelay = publishedNanos - dueNanos;
            tickEvent.commit();
        }
        if (overrunNanos > 0) {
            lateTickEvent.begin(); // sets new times: a reused event keeps its old ones
            lateTickEvent.end();
            lateTickEvent.tick = tick;
            lateTickEvent.overrun = overrunNanos;
            lateTickEvent.commit();
        }
    }

    /**
     * Writes an event if time was given up since the last call.
     *
     * @param tick      the last tick
     * @param deadlines all deadlines given up since the start
     * @param nanos     all time given up since the start
     */
    public void givenUp(long tick, long deadlines, long nanos) {
        if (nanos != givenUpNanosBefore || deadlines != deadlinesBefore) {
            timeGivenUpEvent.begin();
            timeGivenUpEvent.end();
            timeGivenUpEvent.tick = tick;
            timeGivenUpEvent.deadlines = deadlines - deadlinesBefore;
            timeGivenUpEvent.time = nanos - givenUpNanosBefore;
            timeGivenUpEvent.commit();
            deadlinesBefore = deadlines;
            givenUpNanosBefore = nanos;
        }
    }

    /**
     * Writes an event if input or commands were refused since the last call.
     *
     * @param tick        the last tick
     * @param inputEvents all events refused since the start
     * @param commands    all commands and queries refused since the start
     */
    public void refused(long tick, long inputEvents, long commands) {
        if (inputEvents != inputEventsBefore || commands != commandsBefore) {
            refusedEvent.begin();
            refusedEvent.end();
            refusedEvent.tick = tick;
            refusedEvent.inputEvents = inputEvents - inputEventsBefore;
            refusedEvent.commands = commands - commandsBefore;
            refusedEvent.commit();
            inputEventsBefore = inputEvents;
            commandsBefore = commands;
        }
    }
}
