package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests guarantee 5 of {@link SnapshotExchange}: a held window does not change, however many ticks are published meanwhile. */
@JCStressTest
@Description("The reader looks at one window again and again, while more ticks are published than there are snapshots.")
@Outcome(
        id = {"2, 2", "3, 3", "4, 4", "5, 5", "6, 6", "7, 7", "8, 8"},
        expect = ACCEPTABLE,
        desc = "The same window, whole, at the first look and at the last.")
@Outcome(expect = FORBIDDEN, desc = "Written while it was held: guarantee 5, stable.")
@State
public class HeldWindow {

    private static final int LOOKS = 100;

    private final World world = new World(1, 1);
    private final SnapshotReader reader = world.exchange.attach();

    public HeldWindow() {
        world.prepare(1, 2);
    }

    @Actor
    public void writer() {
        world.publish(3, 8);
    }

    @Actor
    public void reader(II_Result r) {
        reader.acquire();
        int first = world.newest(reader);
        int last = first;
        for (int look = 1; look < LOOKS && last == first; look++) {
            VarHandle.acquireFence(); // without this fence the compiler could reuse the values of the first look
            last = world.newest(reader);
        }
        r.r1 = first;
        r.r2 = last;
    }
}
