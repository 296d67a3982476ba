package dev.escapement.physics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("dev.escapement.LateTick")
@Label("Late Tick")
@Category("Escapement")
@Description("A tick that was not published before the next one was due")
@StackTrace(false)
final class LateTickEvent extends Event {

    @Label("Tick")
    long tick;

    @Label("Overrun")
    @Description("How long after the next tick was due it was published")
    @Timespan(Timespan.NANOSECONDS)
    long overrun;
}
