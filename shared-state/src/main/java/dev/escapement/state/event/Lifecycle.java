package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bodies that were spawned and despawned from one snapshot to the next, so that events agree with snapshots: a body that was
 * spawned and despawned within the same tick has no events. Looks only into blocks that changed.
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

    /** Compares a slot of two blocks. A block that does not exist in a snapshot is null and counts as empty. */
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
