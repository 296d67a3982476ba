package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no body jumps from one tick to the next, unless it jumped at the server: it goes no farther than it can, and what it is off its
 * truth fades.
 */
final class WireSteps {

    private static final int SLOTS = 256;

    /** What a body was off counts less with each tick, but as long as an error takes to fade. */
    private static final double FORGOTTEN = 0.97;

    private static final int UNSURE_TICKS = 16;

    private final Trial trial;
    private final double fastestFade;
    private final long[] ids = new long[SLOTS];
    private final int[] teleports = new int[SLOTS];
    private final double[][] at = new double[SLOTS][3];
    private final double[] off = new double[SLOTS];
    private int unsureTicks;
    private long lastTick;

    /** Steps of a receiver that lets a share of an error fade within a tick at most. */
    WireSteps(Trial trial, double fastestFade) {
        this.trial = trial;
        this.fastestFade = fastestFade;
        Arrays.fill(ids, -1);
    }

    /** Takes the next tick, and which tick of which world it shows, null if that is not sure. */
    void see(Snapshot shown, @Nullable WirePaths world, long then) {
        boolean follows = shown.tick() == lastTick + 1;
        lastTick = shown.tick();
        unsureTicks = world == null || !follows ? UNSURE_TICKS : Math.max(0, unsureTicks - 1);
        for (int slot = 0; slot < SLOTS; slot++) {
            boolean exists = slot < shown.poses().slotCount() && shown.bodies().exists(slot);
            if (exists) {
                see(shown, slot, world, then);
            }
            ids[slot] = exists ? shown.bodies().id(slot) : -1;
        }
    }

    private void see(Snapshot shown, int slot, @Nullable WirePaths world, long then) {
        PoseBlock block = shown.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        double x = shown.originX() + block.px[i];
        double y = block.py[i];
        double z = shown.originZ() + block.pz[i];
        double metres = WirePaths.length(x - at[slot][0], y - at[slot][1], z - at[slot][2]);
        boolean goesOn = ids[slot] == shown.bodies().id(slot)
                && teleports[slot] == shown.bodies().teleports(slot);
        double offNow = world == null ? 0 : world.off(shown, slot, then);
        off[slot] = Math.max(goesOn ? FORGOTTEN * off[slot] : 0, Double.isNaN(offNow) ? 0 : offNow);
        if (goesOn && world != null && unsureTicks == 0) {
            double most = WirePaths.MOST_METRES + 4 * world.bound() + fastestFade * off[slot];
            trial.check(Promise.FADES)
                    .that(
                            metres <= most,
                            () -> "in tick " + shown.tick() + " body " + slot + " goes " + metres + " m, but may go "
                                    + most);
        }
        at[slot][0] = x;
        at[slot][1] = y;
        at[slot][2] = z;
        teleports[slot] = shown.bodies().teleports(slot);
    }
}
