package dev.escapement.bench.stress.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * A world in which every body lives for some ticks, so that as many come and go in each. A body's user data is its serial number,
 * from which follows all the rest: when it comes and goes, and where it stands.
 */
public final class ChurnWorld extends ModelledWorld {

    /** Small enough that a float holds a place exactly. */
    private static final int PLACES = 1 << 20;

    private final int bornPerTick;
    private final int lifeTicks;
    private final ArrayDeque<long[]> generations = new ArrayDeque<>();

    /**
     * A world without bodies.
     *
     * @param bornPerTick how many bodies come in each tick
     * @param lifeTicks   for how many ticks each is there
     */
    public ChurnWorld(int bornPerTick, int lifeTicks) {
        this.bornPerTick = bornPerTick;
        this.lifeTicks = lifeTicks;
    }

    @Override
    void capture(long now, PoseWriter poses) {
        long[] generation = new long[bornPerTick];
        if (generations.size() == lifeTicks) {
            generation = generations.remove();
            for (long id : generation) {
                poses.despawn(id);
            }
        }
        for (int i = 0; i < bornPerTick; i++) {
            generation[i] = poses.spawn(serial(now, i));
        }
        generations.add(generation);
        long bornTick = now - generations.size() + 1;
        for (long[] living : generations) {
            for (int i = 0; i < bornPerTick; i++) {
                float place = place(now, serial(bornTick, i));
                poses.set(poses.slotOf(living[i]), place, 0, place + 1, 0, 0, 0, 1);
            }
            bornTick++;
        }
    }

    @Override
    public boolean test(Snapshot snapshot) {
        Bodies bodies = snapshot.bodies();
        long now = snapshot.tick();
        long oldestTick = Math.max(1, now - lifeTicks + 1);
        int expected = (int) (now - oldestTick + 1) * bornPerTick;
        BitSet seen = new BitSet(expected);
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                long index = bodies.userData(slot) - serial(oldestTick, 0);
                if (index < 0 || index >= expected || seen.get((int) index) || !stands(snapshot, slot)) {
                    return false;
                }
                seen.set((int) index);
            }
        }
        return seen.cardinality() == expected && bodies.count() == expected;
    }

    private boolean stands(Snapshot snapshot, int slot) {
        Bodies bodies = snapshot.bodies();
        long serial = bodies.userData(slot);
        PoseBlock block = snapshot.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        float place = place(snapshot.tick(), serial);
        return bodies.spawnTick(slot) == Math.floorDiv(serial, bornPerTick)
                && bodies.exists(bodies.id(slot))
                && block.px[i] == place
                && block.pz[i] == place + 1
                && block.qw[i] == 1;
    }

    /** Bodies are numbered in the order in which they come. */
    private long serial(long bornTick, int index) {
        return bornTick * bornPerTick + index;
    }

    private static float place(long tick, long serial) {
        return Math.floorMod(31 * serial + tick, PLACES);
    }
}
