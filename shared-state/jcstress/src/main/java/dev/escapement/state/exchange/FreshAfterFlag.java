package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests guarantee 6 of {@link SnapshotExchange}: a thread that knows that a tick was published acquires that tick or a later one. */
@JCStressTest
@Description("The writer stores after each publish how far it is; the reader reads that and then acquires.")
@Outcome(id = "0, [0234]", expect = ACCEPTABLE, desc = "Read nothing yet, so any window or none is right.")
@Outcome(id = "2, [234]", expect = ACCEPTABLE, desc = "Read tick 2 and got that or a later one.")
@Outcome(id = "3, [34]", expect = ACCEPTABLE, desc = "Read tick 3 and got that or a later one.")
@Outcome(expect = FORBIDDEN, desc = "A window older than the tick that was read: guarantee 6, fresh.")
@State
public class FreshAfterFlag {

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();
    private volatile int published;

    @Actor
    public void writer() {
        world.publish(1, 2);
        published = 2;
        world.publish(3, 3);
        published = 3;
        world.publish(4, 4);
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = published;
        reader.acquire();
        r.r2 = world.newest(reader);
    }
}
