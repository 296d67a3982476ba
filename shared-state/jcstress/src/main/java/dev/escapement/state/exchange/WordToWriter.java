package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The word's other direction: take releases the reader's last reads, and put acquires them. */
@JCStressTest
@Description("The reader reads and takes, which gives its window back; the writer puts and writes into what it gets.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The writer came first: it got another window and wrote nothing.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The writer wrote into the window after the reader had read it.")
@Outcome(expect = FORBIDDEN, desc = "Read what was written after the window was given back: guarantee 5, stable.")
@State
public class WordToWriter {

    private final ExchangeWord word = new ExchangeWord(1);
    private int contents;

    @Actor
    public void writer(II_Result r) {
        int window = ExchangeWord.window(word.put(2));
        if (window == 0) {
            contents = 1;
        }
        r.r2 = window;
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = contents;
        word.take(0);
    }
}
