package dev.escapement.physics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("dev.escapement.TimeGivenUp")
@Label("Time Given Up")
@Category("Escapement")
@Description("Simulated time stood still after a tick, because deadlines had passed")
@StackTrace(false)
final class TimeGivenUpEvent extends Event {

    @Label("Tick")
    long tick;

    @Label("Deadlines")
    long deadlines;

    @Label("Time")
    @Timespan(Timespan.NANOSECONDS)
    long time;
}
