package dev.escapement.state.capture;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.escapement.state.snapshot.BodyId;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests that a slot whose id waits to be reserved goes to the reserving thread or to the restored body, never to both. */
@JCStressTest
@Description("A thread reserves, while the physics thread claims the slot that waits for a body with an id of its own.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Reserved, so that it could not be claimed.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Claimed: the thread got a new slot.")
@Outcome(expect = FORBIDDEN, desc = "Both have the slot, or neither has.")
@State
public class ReserveAgainstClaim {

    private final BodySlots slots = new BodySlots(1, BodySlots.MAX_SLOTS, 0);

    /** Creates a state in which slot 0 had a body, which is gone. The slot's next id waits to be reserved. */
    public ReserveAgainstClaim() {
        slots.spawnAs(slots.reservations.reserve());
        slots.despawn(0);
        slots.reservations.freeReleased();
    }

    @Actor
    public void anyThread(II_Result r) {
        r.r1 = BodyId.slot(slots.reservations.reserve());
    }

    @Actor
    public void physicsThread(II_Result r) {
        r.r2 = slots.reservations.claim(BodyId.of(0, 9)) ? 1 : 0;
    }
}
