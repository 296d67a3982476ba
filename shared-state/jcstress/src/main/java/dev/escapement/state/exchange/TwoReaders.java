package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests guarantee 7 of {@link SnapshotExchange}: two readers have separate windows. Runs only on three cores or more. */
@JCStressTest
@Description("Ticks are published while two readers take a window each.")
@Outcome(id = "[02-6], [02-6]", expect = ACCEPTABLE, desc = "Each has a whole window of its own, or none yet.")
@Outcome(expect = FORBIDDEN, desc = "One reader's window is torn: guarantees 4, consecutive, and 7, many readers.")
@State
public class TwoReaders {

    private final World world = new World(2, 0);
    private final SnapshotReader readerA = world.exchange.attach();
    private final SnapshotReader readerB = world.exchange.attach();

    @Actor
    public void writer() {
        world.publish(1, 6);
    }

    @Actor
    public void readerA(II_Result r) {
        readerA.acquire();
        r.r1 = world.newest(readerA);
    }

    @Actor
    public void readerB(II_Result r) {
        readerB.acquire();
        r.r2 = world.newest(readerB);
    }
}
