package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Tests guarantee 4 of {@link SnapshotExchange}: each acquire gets one window, whole and without a gap. */
@JCStressTest
@Description("Ticks are published while the reader takes one window.")
@Outcome(id = "0", expect = ACCEPTABLE, desc = "Asked before there were two ticks: no window, and acquire said so.")
@Outcome(id = "[2-5]", expect = ACCEPTABLE, desc = "This tick and the one before it, every float as written.")
@Outcome(expect = FORBIDDEN, desc = "Torn, or a gap: guarantee 4, consecutive.")
@State
public class WholeWindow {

    private final World world = new World(1, 1);
    private final SnapshotReader reader = world.exchange.attach();

    @Actor
    public void writer() {
        world.publish(1, 5);
    }

    @Actor
    public void reader(I_Result r) {
        reader.acquire();
        r.r1 = world.newest(reader);
    }
}
