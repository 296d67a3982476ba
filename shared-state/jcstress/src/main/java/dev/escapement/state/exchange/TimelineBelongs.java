package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.escapement.state.time.Timeline;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Tests guarantee 4 of {@link SnapshotExchange} for the timeline: a window has the timeline at the publish of its newest tick, although the
 * exchange copies only changed timelines.
 */
@JCStressTest
@Description("One tick of time is skipped before every tick published, while the reader takes one window.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "Asked before there were two ticks: no window, and acquire said so.")
@Outcome(id = "[2-4]", expect = ACCEPTABLE, desc = "As many ticks were skipped as the newest tick says.")
@Outcome(expect = FORBIDDEN, desc = "The timeline of another tick: guarantee 4, consecutive, is about one moment.")
@State
public class TimelineBelongs {

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();
    private final Timeline timeline = new Timeline(World.RATE);

    public TimelineBelongs() {
        timeline.start(0);
    }

    @Actor
    public void writer() {
        for (int tick = 1; tick <= 4; tick++) {
            timeline.skip(tick, 1);
            world.exchange.writer().nextSnapshot().startTick(tick, tick);
            world.exchange.writer().publish(timeline, tick);
        }
    }

    @Actor
    public void reader(I_Result r) {
        if (reader.acquire()) {
            Window window = reader.window();
            long newest = window.newestTick();
            // The writer skips one period before each tick, so tick 0 is now due as many periods later as the newest
            // tick's number.
            boolean belongs = window.timeline().dueNanos(0) == World.RATE.nanosAt(newest);
            r.r1 = belongs ? (int) newest : World.TORN;
        }
    }
}
