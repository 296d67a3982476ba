package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Tests that a reader sees after {@code take} what the writer wrote before {@code put}: put releases, and take acquires. */
@JCStressTest
@Description("The writer writes and puts; the reader takes and reads.")
@Outcome(id = "-1", expect = ACCEPTABLE, desc = "Asked before the writer's window was there.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "Took the writer's window, and sees what was written before it was put.")
@Outcome(expect = FORBIDDEN, desc = "The window without its contents: guarantee 4, consecutive, would be torn.")
@State
public class WordToReader {

    private final WindowWord word = new WindowWord();
    private int contents;

    @Actor
    public void writer() {
        contents = 1;
        word.put(2);
    }

    @Actor
    public void reader(I_Result r) {
        r.r1 = word.isFresh() && word.take() == 2 ? contents : -1;
    }
}
