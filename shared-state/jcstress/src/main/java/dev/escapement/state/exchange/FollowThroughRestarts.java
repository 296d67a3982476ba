package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Guarantees 6 and 9: a reader skips exchanges without a window, and misses none that has one. */
@JCStressTest
@Description(
        "Three exchanges follow one another, of which only the second has a window, while a reader acquires twice.")
@Outcome(id = "2, 2, 4", expect = ACCEPTABLE, desc = "Kept the window of the first, went over later.")
@Outcome(
        id = {"2, 4, 4", "4, 4, 4"},
        expect = ACCEPTABLE,
        desc = "Went over to the second, and stayed.")
@Outcome(expect = FORBIDDEN, desc = "Lost its window, tore one, went back, or missed one: guarantees 6 and 9.")
@State
public class FollowThroughRestarts {

    private final World first = new World(1, 0);
    private final World second = new World(1, 0);
    private final World third = new World(1, 0);
    private final SnapshotReader reader = first.exchange.attach();

    public FollowThroughRestarts() {
        first.prepare(1, 2);
        reader.acquire();
        reader.handOver();
    }

    @Actor
    public void restarts() {
        first.exchange.handOnTo(second.exchange);
        second.publish(3, 4);
        second.exchange.handOnTo(third.exchange);
        third.publish(5, 5);
    }

    @Actor
    public void reader(III_Result r) {
        reader.acquire();
        r.r1 = first.newest(reader);
        reader.acquire();
        r.r2 = first.newest(reader);
        reader.handOver();
    }

    @Arbiter
    public void later(III_Result r) {
        reader.acquire();
        r.r3 = first.newest(reader);
    }
}
