package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What all guarantees stand on: no window is in two hands. */
@JCStressTest
@Description("Both sides exchange at once: the reader gives window 0, window 1 lies there, the writer gives window 2.")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "The writer came first, so the reader got the writer's window.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The reader came first, so the writer got the reader's window.")
@Outcome(expect = FORBIDDEN, desc = "One window in two hands and another lost: guarantee 5, stable.")
@State
public class WordOneHand {

    private final ExchangeWord word = new ExchangeWord(1);

    @Actor
    public void writer(II_Result r) {
        r.r1 = ExchangeWord.window(word.put(2));
    }

    @Actor
    public void reader(II_Result r) {
        r.r2 = word.take(0);
    }
}
