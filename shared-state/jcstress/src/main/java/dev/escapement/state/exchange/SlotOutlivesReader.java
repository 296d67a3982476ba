package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests guarantees 5 and 6 of {@link SnapshotExchange} while a slot changes its reader: the writer writes to no held snapshot. */
@JCStressTest
@Description("The reader acquires, detaches, attaches and acquires, while ticks are published.")
@Outcome(
        id = "[2-7], [0-5]",
        expect = ACCEPTABLE,
        desc = "A whole window, then that one still or this many ticks later.")
@Outcome(expect = FORBIDDEN, desc = "Torn, lost or backwards: guarantees 5, stable, and 6, fresh.")
@State
public class SlotOutlivesReader {

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();

    public SlotOutlivesReader() {
        world.prepare(1, 2);
    }

    @Actor
    public void writer() {
        world.publish(3, 7);
    }

    @Actor
    public void reader(II_Result r) {
        reader.acquire();
        int first = world.newest(reader);
        reader.close();
        SnapshotReader next = world.exchange.attach();
        next.acquire();
        r.r1 = first;
        r.r2 = world.newest(next) - first;
    }
}
