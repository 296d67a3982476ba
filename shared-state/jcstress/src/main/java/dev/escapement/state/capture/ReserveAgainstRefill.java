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
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests that no id is reserved twice, and that each has the current generation of its slot. */
@JCStressTest
@Description(
        "Two threads reserve, of which one, the physics thread, puts two used slots into the reserve at the same time.")
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "Four slots, each with the generation that it has now.")
@Outcome(expect = FORBIDDEN, desc = "A slot was given twice, or with the generation of a body that is gone.")
@State
public class ReserveAgainstRefill {

    private static final int USED_SLOTS = 2;

    private final BodySlots slots = new BodySlots(USED_SLOTS, BodySlots.MAX_SLOTS, 0);
    private final long[] ids = new long[4]; // one actor writes the first two, the other actor the last two

    /** Creates a state in which two slots had bodies, which are gone. The queue of ids is empty. */
    public ReserveAgainstRefill() {
        for (int i = 0; i < USED_SLOTS; i++) {
            slots.spawnAs(slots.reservations.reserve());
        }
        for (int slot = 0; slot < USED_SLOTS; slot++) {
            slots.despawn(slot);
        }
    }

    @Actor
    public void anyThread() {
        ids[0] = slots.reservations.reserve();
        ids[1] = slots.reservations.reserve();
    }

    @Actor
    public void physicsThread() {
        slots.reservations.freeReleased();
        ids[2] = slots.reservations.reserve();
        ids[3] = slots.reservations.reserve();
    }

    @Arbiter
    public void judge(II_Result r) {
        int slotsGiven = 0;
        for (long id : ids) {
            int slot = BodyId.slot(id);
            slotsGiven |= 1 << slot;
            r.r2 += BodyId.generation(id) == (slot < USED_SLOTS ? 3 : 1) ? 1 : 0;
        }
        r.r1 = Integer.bitCount(slotsGiven);
    }
}
