package dev.escapement.render;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Finds the bodies that appeared or vanished since the last {@link #visit}. Looks only into blocks that changed since then.
 *
 * <p>One thread. Allocates nothing unless the number of bodies grows.
 */
final class BodyChanges {

    /** Per block: the tick of its last change that was visited. A block that still has this tick is skipped. */
    private long[] versions = {};

    /** Per slot: the body that was reported as appeared, but not yet as vanished. Generation 0 means none. */
    private int[] generations = {};

    private long[] userData = {};

    /** True until the bodies of the last world are reported as vanished. The same ids mean other bodies in this world. */
    private boolean isAnotherWorld;

    /** Takes over the bodies that {@code last} has reported from another world. The next visit reports that they vanished. */
    void replace(BodyChanges last) {
        generations = last.generations;
        userData = last.userData;
        versions = last.versions;
        isAnotherWorld = true;
    }

    void visit(Snapshot shown, BodyVisitor visitor) {
        if (isAnotherWorld) {
            for (int slot = 0; slot < generations.length; slot++) {
                forget(slot, visitor); // if the visitor throws, the next visit reports the other bodies
            }
            Arrays.fill(versions, Snapshot.NEVER_WRITTEN);
            isAnotherWorld = false;
        }
        int shownBlocks = shown.poses().blockCount();
        grow(shownBlocks);
        for (int b = 0; b < versions.length; b++) {
            boolean exists = b < shownBlocks;
            long version = exists ? shown.bodyBlock(b).changedTick() : Snapshot.NEVER_WRITTEN;
            if (version != versions[b]) {
                for (int i = 0; i < PoseBlock.CAPACITY; i++) {
                    int slot = (b << PoseBlock.SHIFT) + i;
                    if (exists && slot < shown.poses().slotCount()) {
                        follow(slot, shown.bodyBlock(b), i, visitor);
                    } else {
                        forget(slot, visitor);
                    }
                }
                versions[b] = version; // last: if the visitor throws, the next visit looks at this block again
            }
        }
    }

    private void follow(int slot, BodyBlock bodies, int i, BodyVisitor visitor) {
        int generation = bodies.generation[i];
        if (generation != generations[slot]) {
            forget(slot, visitor);
            if (BodyId.isLive(generation)) {
                generations[slot] = generation;
                userData[slot] = bodies.userData[i];
                visitor.appeared(BodyId.of(slot, generation), userData[slot]);
            }
        }
    }

    private void forget(int slot, BodyVisitor visitor) {
        int generation = generations[slot];
        generations[slot] = 0;
        if (BodyId.isLive(generation)) {
            visitor.vanished(BodyId.of(slot, generation), userData[slot]);
        }
    }

    private void grow(int blocks) {
        int known = versions.length;
        if (blocks > known) {
            int room = Math.max(blocks, 2 * known);
            versions = Arrays.copyOf(versions, room);
            Arrays.fill(versions, known, room, Snapshot.NEVER_WRITTEN);
            generations = Arrays.copyOf(generations, room * PoseBlock.CAPACITY);
            userData = Arrays.copyOf(userData, room * PoseBlock.CAPACITY);
        }
    }
}
