package dev.escapement.physics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("dev.escapement.Tick")
@Label("Tick")
@Category("Escapement")
@Description("A tick of the physics thread")
@StackTrace(false)
final class TickEvent extends Event {

    @Label("Tick")
    long tick;

    @Label("Lateness")
    @Description("From when it was due to its start")
    @Timespan(Timespan.NANOSECONDS)
    long lateness;

    @Label("Step")
    @Description("Commands and the simulation's step")
    @Timespan(Timespan.NANOSECONDS)
    long step;

    @Label("Capture")
    @Description("From the end of the step until all poses were written")
    @Timespan(Timespan.NANOSECONDS)
    long capture;

    @Label("Publish Delay")
    @Description("From when it was due to the handing over of its snapshot")
    @Timespan(Timespan.NANOSECONDS)
    long publishDelay;
}
