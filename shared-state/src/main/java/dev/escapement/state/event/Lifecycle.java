package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Finds which bodies came and went from one snapshot to the next, so that events say, however the simulation got there within a tick,
 * what snapshots show: a body that was spawned and despawned in the same tick never was. Looks only into blocks that changed.
 */
final class Lifecycle {

    private Lifecycle() {}

    static void collect(@Nullable Snapshot before, Snapshot now, TickEvents events) {
        int blocksBefore = before == null ? 0 : before.poses().blockCount();
        int blocks = now.poses().blockCount();
        for (int b = 0; b < Math.max(blocksBefore, blocks); b++) {
            BodyBlock bodiesBefore = before == null || b >= blocksBefore ? null : before.bodyBlock(b);
            BodyBlock bodies = b < blocks ? now.bodyBlock(b) : null;
            if (bodies == null || bodies.changedTick() == now.tick()) {
                for (int i = 0; i < PoseBlock.CAPACITY; i++) {
                    compare(bodiesBefore, bodies, b, i, events);
                }
            }
        }
    }

    /** A block that one of the snapshots does not have is one without a body. */
    private static void compare(@Nullable BodyBlock before, @Nullable BodyBlock now, int b, int i, TickEvents events) {
        int slot = (b << PoseBlock.SHIFT) + i;
        int generationBefore = before == null ? 0 : before.generation[i];
        int generation = now == null ? 0 : now.generation[i];
        if (generationBefore == generation) {
            return;
        }
        if (before != null && BodyId.isLive(generationBefore)) {
            long id = BodyId.of(slot, generationBefore);
            events.add().setLifecycle(BodyEvent.Kind.DESPAWNED, events.tick(), id, before.userData[i]);
        }
        if (now != null && BodyId.isLive(generation)) {
            long id = BodyId.of(slot, generation);
            events.add().setLifecycle(BodyEvent.Kind.SPAWNED, events.tick(), id, now.userData[i]);
        }
    }
}
