package dev.escapement.render.web;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/** What a client knows of the bodies: what it was sent last, in the units in which it was sent. One thread. */
final class SentBodies {

    /** The version of a block that the client does not have; no block of a snapshot has it. */
    static final long UNKNOWN = Snapshot.NEVER_WRITTEN + 1;

    /** The bodies in the slots of a block. */
    static final class Block {
        /** Odd where the client has a body, 0 elsewhere. */
        final int[] generation = new int[PoseBlock.CAPACITY];

        final int[] teleports = new int[PoseBlock.CAPACITY];
        final int[] x = new int[PoseBlock.CAPACITY];
        final int[] y = new int[PoseBlock.CAPACITY];
        final int[] z = new int[PoseBlock.CAPACITY];
        final int[] rotation = new int[PoseBlock.CAPACITY];
        long posesVersion = UNKNOWN;
        long bodiesVersion = UNKNOWN;
        int quarantined;
        boolean empty = true;
    }

    Block[] blocks = {};

    /** Metres per unit; 0 if the client has no picture. */
    float quantum;

    void reserve(int count) {
        int known = blocks.length;
        if (count > known) {
            blocks = Arrays.copyOf(blocks, count);
            for (int b = known; b < count; b++) {
                blocks[b] = new Block();
            }
        }
    }

    /** The next picture is complete. */
    void forget() {
        quantum = 0;
        for (Block block : blocks) {
            Arrays.fill(block.generation, 0);
            block.posesVersion = UNKNOWN;
            block.bodiesVersion = UNKNOWN;
            block.quarantined = 0;
            block.empty = true;
        }
    }
}
