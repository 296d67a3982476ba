package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests that reads before {@code take} never see writes after the {@code put} that returns the window: take releases, and put acquires. */
@JCStressTest
@Description(
        "The reader reads and takes, which gives back what it held; the writer puts, and writes if that was taken.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The writer came first: nothing was taken, and it wrote nothing.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The writer wrote after the reader had read.")
@Outcome(expect = FORBIDDEN, desc = "Read what was written after the window was given back: guarantee 5, stable.")
@State
public class WordToWriter {

    private final WindowWord word = new WindowWord();
    private int contents;

    public WordToWriter() {
        word.put(1);
    }

    @Actor
    public void writer(II_Result r) {
        long previous = word.put(2);
        if (previous == Window.NONE) {
            contents = 1;
        }
        r.r2 = (int) previous;
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = contents;
        word.take();
    }
}
