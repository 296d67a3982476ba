package dev.escapement.physics.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.escapement.Refused")
@Label("Refused")
@Category("Escapement")
@Description("Input events and commands that were refused since the tick before, because their queue was full")
@StackTrace(false)
final class RefusedEvent extends Event {

    @Label("Tick")
    long tick;

    @Label("Input Events")
    long inputEvents;

    @Label("Commands")
    @Description("Commands and queries")
    long commands;
}
