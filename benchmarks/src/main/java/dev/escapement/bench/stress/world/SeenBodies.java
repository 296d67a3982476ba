package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Remembers which body was seen in each slot last, where every body has a user's number of its own: checks {@link Promise#NEVER_REUSED}.
 * Needs as much memory as there are slots, however many bodies come and go.
 */
public final class SeenBodies {

    private static final int NONE = -1;

    private final Trial trial;
    private final Check neverReused;

    // By slot. The generation of an id, and one more once its body was seen to be gone: even, like that of any slot
    // without a body.
    private int[] generations = {};
    private long[] userDataBefore = {};

    private long newestTick;

    /** Has seen nothing yet; reports to the trial. */
    public SeenBodies(Trial trial) {
        this.trial = trial;
        neverReused = trial.check(Promise.NEVER_REUSED);
    }

    /** Windows overlap, and in an older tick a body that is gone was still there: each tick is looked at once. */
    public void inspect(Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > newestTick) {
                see(snapshot);
                newestTick = snapshot.tick();
            }
        }
    }

    /** The bodies of a tick after all those seen so far. */
    void see(Snapshot snapshot) {
        Bodies bodies = snapshot.bodies();
        grow(bodies.slotCount());
        int reused = NONE;
        for (int slot = 0; slot < generations.length; slot++) {
            if (!bodies.exists(slot)) {
                seeEmpty(slot);
            } else if (!see(slot, bodies)) {
                reused = slot;
            }
        }
        int slot = reused;
        neverReused.that(
                slot == NONE,
                () -> "at tick " + snapshot.tick() + " the id of body " + bodies.userData(slot) + ", "
                        + BodyId.toString(bodies.id(slot)) + ", is that of an earlier body");
    }

    /** Whether the body in a slot is the one seen there last, or a later one. */
    private boolean see(int slot, Bodies bodies) {
        int generation = trial.isPlanted(Promise.NEVER_REUSED) ? 1 : BodyId.generation(bodies.id(slot));
        long userData = bodies.userData(slot);
        int later = generation - generations[slot]; // by difference: generations wrap
        boolean isTheSame = later == 0 && userData == userDataBefore[slot];
        generations[slot] = generation;
        userDataBefore[slot] = userData;
        return later > 0 || isTheSame;
    }

    private void seeEmpty(int slot) {
        if (BodyId.isLive(generations[slot])) {
            generations[slot]++;
        }
    }

    private void grow(int slots) {
        if (slots > generations.length) {
            generations = Arrays.copyOf(generations, slots);
            userDataBefore = Arrays.copyOf(userDataBefore, slots);
        }
    }
}
