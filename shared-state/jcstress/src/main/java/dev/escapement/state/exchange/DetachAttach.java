package dev.escapement.state.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tests that slots outlive readers, as guarantee 8 of {@link SnapshotExchange} needs: the next reader finds the window left there. */
@JCStressTest
@Description("A reader acquires and detaches, while another thread tries to attach to the only slot.")
@Outcome(id = "2, -1", expect = ACCEPTABLE, desc = "The slot was taken still.")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Attached to the slot, and found the window that was held there.")
@Outcome(expect = FORBIDDEN, desc = "Attached, but the held window is lost: guarantee 8, and 6, fresh.")
@State
public class DetachAttach {

    private static final int SLOT_TAKEN = -1;

    private final World world = new World(1, 0);
    private final SnapshotReader reader = world.exchange.attach();

    public DetachAttach() {
        world.prepare(1, 2);
    }

    @Actor
    public void detacher(II_Result r) {
        reader.acquire();
        r.r1 = world.newest(reader);
        reader.close();
    }

    @Actor
    public void attacher(II_Result r) {
        SnapshotReader next;
        try {
            next = world.exchange.attach();
        } catch (IllegalStateException e) {
            r.r2 = SLOT_TAKEN;
            return;
        }
        next.acquire();
        r.r2 = world.newest(next);
    }
}
