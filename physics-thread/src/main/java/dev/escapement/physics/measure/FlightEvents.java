package dev.escapement.physics.measure;

import dev.escapement.physics.spi.TickHook;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Writes an event for each tick to the JDK's Flight Recorder, in the category Escapement. It costs next to nothing while no recording runs.
 * The event object is reused, so that a tick allocates nothing.
 *
 * <pre>
 *   java -XX:StartFlightRecording:filename=ticks.jfr ...
 *   jfr print --events dev.escapement.Tick ticks.jfr
 * </pre>
 *
 * <p>Physics thread only.
 */
final class FlightEvents {

    private final TickEvent event = new TickEvent();
    private long deadlinesBefore;
    private long inputEventsBefore;
    private long commandsBefore;

    private FlightEvents(String service) {
        event.service = service;
    }

    /** Returns null on a Java runtime without the module {@code jdk.jfr}. */
    static @Nullable FlightEvents of(String service) {
        try {
            return new FlightEvents(service);
        } catch (NoClassDefFoundError withoutJfr) {
            return null;
        }
    }

    void begin() {
        event.begin();
    }

    /**
     * Writes the event of a tick that was published. The numbers of deadlines and refusals are totals since the start.
     *
     * @param skippedNanos the time that was skipped after the tick
     */
    void ticked(
            TickHook.Times times,
            long overrunNanos,
            long deadlines,
            long skippedNanos,
            long inputEvents,
            long commands) {
        event.end();
        if (event.shouldCommit()) {
            event.tick = times.publishedTick();
            event.lateness = times.startedNanos() - times.dueNanos();
            event.step = times.steppedNanos() - times.startedNanos();
            event.capture = times.publishedNanos() - times.steppedNanos();
            event.publishDelay = times.publishedNanos() - times.dueNanos();
            event.overrun = Math.max(0, overrunNanos);
            event.skippedDeadlines = deadlines - deadlinesBefore;
            event.skippedTime = skippedNanos;
            event.refusedInputEvents = inputEvents - inputEventsBefore;
            event.refusedCommands = commands - commandsBefore;
            event.commit();
        }
        deadlinesBefore = deadlines;
        inputEventsBefore = inputEvents;
        commandsBefore = commands;
    }

    @Name("dev.escapement.Tick")
    @Label("Tick")
    @Category("Escapement")
    @Description("A tick of the physics thread")
    @StackTrace(false)
    static final class TickEvent extends Event {
        @Label("Service")
        String service = "";

        @Label("Tick")
        long tick;

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

        @Label("Overrun")
        @Description("How long after the next tick was due it was published; 0 if it was in time")
        @Timespan(Timespan.NANOSECONDS)
        long overrun;

        @Label("Skipped Deadlines")
        @Description("Deadlines that had passed after the tick, and were skipped")
        long skippedDeadlines;

        @Label("Skipped Time")
        @Description("How long simulated time stood still for these deadlines")
        @Timespan(Timespan.NANOSECONDS)
        long skippedTime;

        @Label("Refused Input Events")
        @Description("Input events that were refused since the tick before, because the ring was full")
        long refusedInputEvents;

        @Label("Refused Commands")
        @Description("Commands and queries that were refused since the tick before, because their queue was full")
        long refusedCommands;
    }
}
