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

/** Guarantee 9: no slot of a successor is lost, or given out twice, by a reader that detaches meanwhile. */
@JCStressTest
@Description("An exchange is handed on, while its reader detaches and another thread attaches.")
@Outcome(
        id = {"1, 0", "0, 1"},
        expect = ACCEPTABLE,
        desc = "The only slot was given out once: before it moved, or after.")
@Outcome(expect = FORBIDDEN, desc = "The slot is lost, or was given out twice: guarantee 9.")
@State
public class DetachWhileMoving {

    private final World old = new World(1, 0);
    private final World successor = new World(1, 0);
    private final SnapshotReader reader = old.exchange.attach();

    public DetachWhileMoving() {
        reader.handOver();
    }

    @Actor
    public void successor() {
        old.exchange.handOnTo(successor.exchange);
    }

    @Actor
    public void reader(II_Result r) {
        reader.close();
        r.r1 = attach(old);
    }

    @Arbiter
    public void later(II_Result r) {
        r.r2 = attach(successor);
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
