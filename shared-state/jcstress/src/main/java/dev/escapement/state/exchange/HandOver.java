package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests assumption 2 of {@link SnapshotExchange}: a reader has one owner at a time, who sees the writes of the owner before. */
@JCStressTest
@Description("Two threads use one reader, each handing it over when it is done.")
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = ACCEPTABLE,
        desc = "The first owner took the window, the second found it in the reader's hands.")
@Outcome(
        id = {"1, -1", "-1, 1"},
        expect = ACCEPTABLE,
        desc = "The second was refused, because the first had not handed the reader over.")
@Outcome(expect = FORBIDDEN, desc = "Two owners, none, or one that does not see what the other did: assumption 2.")
@State
public class HandOver {

    private static final int REFUSED = -1;
    private static final int TAKEN = 1;
    private static final int FOUND = 2;

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();

    public HandOver() {
        world.prepare(1, 2);
    }

    @Actor
    public void one(II_Result r) {
        r.r1 = use();
    }

    @Actor
    public void other(II_Result r) {
        r.r2 = use();
    }

    private int use() {
        try {
            boolean taken = reader.acquire();
            int newest = world.newest(reader);
            reader.handOver();
            return newest != 2 ? newest : taken ? TAKEN : FOUND;
        } catch (IllegalStateException e) {
            return REFUSED;
        }
    }
}
