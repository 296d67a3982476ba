package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Guarantee 9: a reader of an exchange that is handed on moves to its successor, and sees whole windows. */
@JCStressTest
@Description("An exchange is handed on and its successor publishes, while a reader acquires.")
@Outcome(id = "2, 4", expect = ACCEPTABLE, desc = "Kept the last window, then went over.")
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "Went over at once.")
@Outcome(expect = FORBIDDEN, desc = "Lost its window, tore one, or stayed behind: guarantee 9.")
@State
public class FollowSuccessor {

    private final World old = new World(1, 0);
    private final World successor = new World(1, 0);
    private final SnapshotReader reader = old.exchange.attach();

    public FollowSuccessor() {
        old.prepare(1, 2);
        reader.acquire();
        reader.handOver();
    }

    @Actor
    public void successor() {
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3, 4);
    }

    @Actor
    public void reader(II_Result r) {
        reader.acquire();
        r.r1 = old.newest(reader);
        reader.handOver();
    }

    @Arbiter
    public void later(II_Result r) {
        reader.acquire();
        r.r2 = old.newest(reader);
    }
}
