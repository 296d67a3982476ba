package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * Thousands of bodies are spawned and as many despawned in every tick: slots are reused immediately. A body's user data is its serial
 * number, which determines when it is spawned and despawned, and its place.
 */
final class Churn extends PredictableWorld {

    private static final int BORN_PER_TICK = 2_000;
    private static final int LIFE_TICKS = 4;

    /** Small enough that a float holds a place exactly. */
    private static final int PLACES = 1 << 20;

    private final ArrayDeque<long[]> generations = new ArrayDeque<>();

    private Churn() {
        super(LIFE_TICKS * BORN_PER_TICK);
    }

    static Scenario scenario() {
        return new Scenario(
                "churn",
                "2,000 bodies are spawned and 2,000 despawned in every tick, 8,000 live",
                CheckingReader.promises(Promise.ACCOUNTED),
                trial -> {
                    int bodies = (LIFE_TICKS + 1) * BORN_PER_TICK;
                    PhysicsService closed = WatchedService.run(
                            trial, new Churn(), builder -> builder.preallocate(bodies), service -> {});
                    trial.info("grown blocks", closed.grownBlocks());
                });
    }

    @Override
    void capture(long now, PoseWriter poses) {
        long[] generation = new long[BORN_PER_TICK];
        if (generations.size() == LIFE_TICKS) {
            generation = generations.remove();
            for (long id : generation) {
                poses.despawn(id);
            }
        }
        for (int i = 0; i < BORN_PER_TICK; i++) {
            generation[i] = poses.spawn(serial(now, i));
        }
        generations.add(generation);
        long bornTick = now - generations.size() + 1;
        for (long[] living : generations) {
            for (int i = 0; i < BORN_PER_TICK; i++) {
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
        long oldestTick = Math.max(1, now - LIFE_TICKS + 1);
        int expected = (int) (now - oldestTick + 1) * BORN_PER_TICK;
        BitSet seen = new BitSet(expected);
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                long index = bodies.userData(slot) - serial(oldestTick, 0);
                PoseBlock block = snapshot.poses().blockOf(slot);
                if (index < 0
                        || index >= expected
                        || seen.get((int) index)
                        || !stands(snapshot, slot, block, slot & PoseBlock.MASK)) {
                    return false;
                }
                seen.set((int) index);
            }
        }
        return seen.cardinality() == expected && bodies.count() == expected;
    }

    @Override
    boolean stands(Snapshot snapshot, int slot, PoseBlock block, int i) {
        Bodies bodies = snapshot.bodies();
        long serial = bodies.userData(slot);
        float place = place(snapshot.tick(), serial);
        return bodies.spawnTick(slot) == Math.floorDiv(serial, BORN_PER_TICK)
                && bodies.exists(bodies.id(slot))
                && block.px[i] == place
                && block.pz[i] == place + 1
                && block.qw[i] == 1;
    }

    /** Bodies are numbered in the order of their spawns. */
    private static long serial(long bornTick, int index) {
        return bornTick * BORN_PER_TICK + index;
    }

    private static float place(long tick, long serial) {
        return Math.floorMod(31 * serial + tick, PLACES);
    }
}
