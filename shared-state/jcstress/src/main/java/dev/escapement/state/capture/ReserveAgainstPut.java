package dev.escapement.state.capture;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.escapement.state.snapshot.BodyId;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Tests that a slot is neither lost nor reserved twice if the physics thread offers its id while a thread reserves. */
@JCStressTest
@Description("A thread reserves, while the physics thread puts the id of a free slot; then a thread reserves again.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The id was reserved once.")
@Outcome(expect = FORBIDDEN, desc = "The slot was lost, or given twice.")
@State
public class ReserveAgainstPut {

    private final BodySlots slots = new BodySlots(1, BodySlots.MAX_SLOTS, 0);
    private final long id = BodyId.of(0, 3);

    /** Creates a state in which slot 0 had a body, which is gone. */
    public ReserveAgainstPut() {
        slots.spawnAs(slots.reservations.reserve());
        slots.despawn(0);
    }

    @Actor
    public void anyThread(I_Result r) {
        count(r);
    }

    @Actor
    public void physicsThread() {
        slots.reservations.freeReleased();
    }

    @Arbiter
    public void next(I_Result r) {
        count(r);
    }

    private void count(I_Result r) {
        r.r1 += slots.reservations.reserve() == id ? 1 : 0;
    }
}
