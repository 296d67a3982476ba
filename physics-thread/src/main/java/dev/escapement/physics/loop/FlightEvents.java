package dev.escapement.physics.loop;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes the events of a tick to the JDK's Flight Recorder, in the category Escapement. They cost next to nothing while no recording runs.
 * Event objects are reused, so that a tick allocates nothing.
 *
 * <pre>
 *   java -XX:StartFlightRecording:filename=ticks.jfr ...
 *   jfr print --events dev.escapement.LateTick,dev.escapement.SkippedTime ticks.jfr
 * </pre>
 *
 * <p>Physics thread only.
 */
final class FlightEvents {

    private final TickEvent tickEvent = new TickEvent();
    private final LateTickEvent lateTickEvent = new LateTickEvent();
    private final SkippedTimeEvent skippedTimeEvent = new SkippedTimeEvent();
    private final RefusedEvent refusedEvent = new RefusedEvent();
    private long deadlinesBefore;
    private long inputEventsBefore;
    private long commandsBefore;

    FlightEvents(String service) {
        tickEvent.service = service;
        lateTickEvent.service = service;
        skippedTimeEvent.service = service;
        refusedEvent.service = service;
    }

    /** Begins the event of a tick, when it starts. */
    void begin() {
        tickEvent.begin();
    }

    /** Writes the event of a tick that was published, and another one if it was late. */
    void ticked(MeasuredTimes times) {
        tickEvent.end();
        if (tickEvent.shouldCommit()) {
            tickEvent.tick = times.tick;
            tickEvent.lateness = times.startedNanos - times.dueNanos;
            tickEvent.step = times.steppedNanos - times.startedNanos;
            tickEvent.capture = times.publishedNanos - times.steppedNanos;
            tickEvent.publishDelay = times.publishedNanos - times.dueNanos;
            tickEvent.commit();
        }
        if (times.overrunNanos > 0) {
            lateTickEvent.happens(times.tick);
            lateTickEvent.overrun = times.overrunNanos;
            lateTickEvent.commit();
        }
    }

    /** Writes an event if {@code nanos} were skipped since the last call, or deadlines were, of which it gets the total since the start. */
    void skipped(long tick, long deadlines, long nanos) {
        if (nanos != 0 || deadlines != deadlinesBefore) {
            skippedTimeEvent.happens(tick);
            skippedTimeEvent.deadlines = deadlines - deadlinesBefore;
            skippedTimeEvent.time = nanos;
            skippedTimeEvent.commit();
            deadlinesBefore = deadlines;
        }
    }

    /** Writes an event if input or commands were refused since the last call. Both numbers are totals since the start. */
    void refused(long tick, long inputEvents, long commands) {
        if (inputEvents != inputEventsBefore || commands != commandsBefore) {
            refusedEvent.happens(tick);
            refusedEvent.inputEvents = inputEvents - inputEventsBefore;
            refusedEvent.commands = commands - commandsBefore;
            refusedEvent.commit();
            inputEventsBefore = inputEvents;
            commandsBefore = commands;
        }
    }

    /** The fields of all events. */
    @Category("Escapement")
    @StackTrace(false)
    abstract static class EventOfTick extends Event {

        @Label("Service")
        String service = "";

        @Label("Tick")
        long tick;

        /** Sets the times of a reused event, which would keep the old ones. */
        final void happens(long newTick) {
            begin();
            end();
            tick = newTick;
        }
    }

    @Name("dev.escapement.Tick")
    @Label("Tick")
    @Description("A tick of the physics thread")
    static final class TickEvent extends EventOfTick {

        @Label("Lateness")
        @Description("From when it was due until it started")
        @Timespan(Timespan.NANOSECONDS)
        long lateness;

        @Label("Step")
        @Description("Devices, hooks, commands and the simulation's step")
        @Timespan(Timespan.NANOSECONDS)
        long step;

        @Label("Capture")
        @Description("From the end of the step until all poses were written, with the hooks after the step")
        @Timespan(Timespan.NANOSECONDS)
        long capture;

        @Label("Publish Delay")
        @Description("From when it was due until its snapshot was published")
        @Timespan(Timespan.NANOSECONDS)
        long publishDelay;
    }

    @Name("dev.escapement.LateTick")
    @Label("Late Tick")
    @Description("A tick that was not published before the next one was due")
    static final class LateTickEvent extends EventOfTick {

        @Label("Overrun")
        @Description("How long after the next tick was due it was published")
        @Timespan(Timespan.NANOSECONDS)
        long overrun;
    }

    @Name("dev.escapement.SkippedTime")
    @Label("Skipped Time")
    @Description("Simulated time stood still after a tick, because deadlines had passed")
    static final class SkippedTimeEvent extends EventOfTick {

        @Label("Deadlines")
        long deadlines;

        @Label("Time")
        @Timespan(Timespan.NANOSECONDS)
        long time;
    }

    @Name("dev.escapement.Refused")
    @Label("Refused")
    @Description("Input events and commands that were refused since the tick before, because their queue was full")
    static final class RefusedEvent extends EventOfTick {

        @Label("Input Events")
        long inputEvents;

        @Label("Commands")
        @Description("Commands and queries")
        long commands;
    }
}
