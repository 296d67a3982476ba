package dev.escapement.render.tools;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The JFR event of a frame. Reused, so that a frame allocates nothing. */
@Name("dev.escapement.Frame")
@Label("Frame")
@Category("Escapement")
@Description("How far the picture moved from one frame to the next, and how far it should have")
@StackTrace(false)
final class FrameEvent extends Event {

    @Label("Measure")
    @Description("What the frame is measured against: the slot it was meant for, or the end of its drawing")
    String measure = "";

    @Label("Animation Error")
    @Timespan(Timespan.NANOSECONDS)
    long animationError;

    @Label("Shown Step")
    @Timespan(Timespan.NANOSECONDS)
    long shownStep;

    @Label("True Step")
    @Timespan(Timespan.NANOSECONDS)
    long trueStep;

    void write(String newMeasure, long error, long shown, long expected) {
        begin(); // sets new times, because a reused event keeps its old ones
        end();
        if (shouldCommit()) {
            measure = newMeasure;
            animationError = error;
            shownStep = shown;
            trueStep = expected;
            commit();
        }
    }
}
