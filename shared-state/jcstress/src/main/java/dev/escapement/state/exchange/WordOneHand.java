package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests the basis of all guarantees of {@link SnapshotExchange}: writer and reader agree on which of them has a window. */
@JCStressTest
@Description("Both sides exchange at once: window 1 lies there, the writer puts window 2, the reader takes one.")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "The writer came first, and learned that window 1 was not taken.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The reader came first, and the writer learned that.")
@Outcome(expect = FORBIDDEN, desc = "The writer is wrong about what the reader has: guarantee 5, stable.")
@State
public class WordOneHand {

    private final WindowWord word = new WindowWord();

    public WordOneHand() {
        word.put(1);
    }

    @Actor
    public void writer(II_Result r) {
        r.r1 = (int) word.put(2);
    }

    @Actor
    public void reader(II_Result r) {
        r.r2 = (int) word.take();
    }
}
