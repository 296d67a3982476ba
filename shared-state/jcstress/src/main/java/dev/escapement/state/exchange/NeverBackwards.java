package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests guarantee 6 of {@link SnapshotExchange} over time: a later acquire never gets an earlier window. */
@JCStressTest
@Description("The reader acquires twice while ticks are published.")
@Outcome(id = "0, [0-5]", expect = ACCEPTABLE, desc = "No window at first, then none still or a whole one.")
@Outcome(
        id = "[2-5], [0-3]",
        expect = ACCEPTABLE,
        desc = "A whole window, then that one still or this many ticks later.")
@Outcome(expect = FORBIDDEN, desc = "Back to an earlier tick, or torn: guarantees 6, fresh, and 4, consecutive.")
@State
public class NeverBackwards {

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();

    @Actor
    public void writer() {
        world.publish(1, 5);
    }

    @Actor
    public void reader(II_Result r) {
        reader.acquire();
        int first = world.newest(reader);
        reader.acquire();
        r.r1 = first;
        r.r2 = world.newest(reader) - first;
    }
}
