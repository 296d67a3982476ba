package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Guarantees 6 and 9: no place is lost, given out twice or begun in the past, while a reader detaches and another one attaches. */
@JCStressTest
@Description(
        "An exchange is handed on and its successor publishes, while its reader detaches and the next one attaches.")
@Outcome(id = "2, 4, 0", expect = ACCEPTABLE, desc = "Took the last window over, then went on to the successor's.")
@Outcome(id = "4, 4, 0", expect = ACCEPTABLE, desc = "Had the successor's window at once.")
@Outcome(id = "0, 4, 0", expect = ACCEPTABLE, desc = "Began in the successor before that had a window.")
@Outcome(expect = FORBIDDEN, desc = "The place is lost, was given out twice, or began in the past: guarantees 6 and 9.")
@State
public class DetachWhileMoving {

    private final World old = new World(1, 0);
    private final World successor = new World(1, 0);
    private final SnapshotReader reader = old.exchange.attach();
    private SnapshotReader next = reader;

    public DetachWhileMoving() {
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
    public void reader(III_Result r) {
        reader.acquire();
        reader.close();
        next = old.exchange.attach();
        next.acquire();
        r.r1 = old.newest(next);
        next.handOver();
    }

    @Arbiter
    public void later(III_Result r) {
        next.acquire();
        r.r2 = old.newest(next);
        r.r3 = attach(successor);
    }

    private static int attach(World world) {
        try {
            world.exchange.attach();
            return 1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }
}
