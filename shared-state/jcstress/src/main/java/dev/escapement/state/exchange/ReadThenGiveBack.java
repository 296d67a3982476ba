package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tests guarantee 5 of {@link SnapshotExchange} up to the release of a window: the reader sees no write after it.
 *
 * <p>The reads happen before the exchange that releases the window, and the writer acquires from that exchange before it writes into the
 * window.
 */
@JCStressTest
@Description(
        "The reader reads its window, gives it back and reads the next one; the writer writes into what came back.")
@Outcome(id = "2, [4-8]", expect = ACCEPTABLE, desc = "The window held first, whole, and then the latest, whole.")
@Outcome(expect = FORBIDDEN, desc = "Read what was written after the window was given back: guarantee 5, stable.")
@State
public class ReadThenGiveBack {

    private final World world = new World(1, 1);
    private final SnapshotReader reader = world.exchange.attach();

    /** Leaves so few snapshots free that the writer's second tick reuses a snapshot of the held window. */
    public ReadThenGiveBack() {
        world.publish(1, 2);
        reader.acquire();
        reader.handOver();
        world.prepare(3, 4);
    }

    @Actor
    public void writer() {
        world.publish(5, 8);
    }

    @Actor
    public void reader(II_Result r) {
        r.r1 = world.newest(reader);
        reader.acquire();
        r.r2 = world.newest(reader);
    }
}
