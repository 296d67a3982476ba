package dev.escapement.render.web;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/** A snapshot quantised for pages: positions as whole units, rotations as 32 bits. Reused. One thread. */
final class Quantised {

    /** The units per metre. A millimetre is less than a pixel where it matters. */
    private static final double UNITS_PER_METRE = 1000;

    /** A version that no block of a snapshot has. */
    static final long UNKNOWN = Snapshot.NEVER_WRITTEN + 1;

    /** The largest position in units, 1,000 km. Positions farther away are clamped to it, so that the difference of two fits an int. */
    private static final int MAX_UNITS = 1_000_000_000;

    private static final Block EMPTY = new Block();

    private static final int HALF_CODES = 511;
    private static final float CODES_PER_UNIT = (float) (HALF_CODES * Math.sqrt(2));

    /** The middle code, which means exactly 0, so that upright bodies are shown upright; plus half a code, so that a cast to int rounds. */
    private static final float ROUNDED_MIDDLE = HALF_CODES + 1.5f;

    private static final int MAX = 1023;
    private static final int BITS = 10;

    /** The bodies in the slots of a block. All numbers of an empty slot are 0. */
    static final class Block {
        final int[] generation = new int[PoseBlock.CAPACITY];
        final int[] teleports = new int[PoseBlock.CAPACITY];
        final int[] x = new int[PoseBlock.CAPACITY];
        final int[] y = new int[PoseBlock.CAPACITY];
        final int[] z = new int[PoseBlock.CAPACITY];
        final int[] rotation = new int[PoseBlock.CAPACITY];
        long posesVersion = UNKNOWN;
        long bodiesVersion = UNKNOWN;

        private void takeBodies(BodyBlock source, int slots) {
            bodiesVersion = source.changedTick();
            for (int i = 0; i < PoseBlock.CAPACITY; i++) {
                boolean isLive = i < slots && BodyId.isLive(source.generation[i]);
                generation[i] = isLive ? source.generation[i] : 0;
                teleports[i] = isLive ? source.teleports[i] : 0;
            }
            Arrays.fill(x, slots, PoseBlock.CAPACITY, 0);
            Arrays.fill(y, slots, PoseBlock.CAPACITY, 0);
            Arrays.fill(z, slots, PoseBlock.CAPACITY, 0);
            Arrays.fill(rotation, slots, PoseBlock.CAPACITY, 0);
        }

        /** Quantises poses without branches, because it runs for every body that may have moved. */
        private void takePoses(PoseBlock source, int slots, long version) {
            posesVersion = version;
            for (int i = 0; i < slots; i++) {
                int live = -(generation[i] & 1); // all bits if the body exists, or none
                x[i] = units(source.px[i]) & live;
                y[i] = units(source.py[i]) & live;
                z[i] = units(source.pz[i]) & live;
                rotation[i] = rotation(source.qx[i], source.qy[i], source.qz[i], source.qw[i]) & live;
            }
        }
    }

    private Block[] blocks = {};
    int blockCount;
    long tick;

    /** The number of clients that have this as their last picture. While it is positive, the snapshot must not change. */
    int users;

    Block block(int b) {
        return b < blockCount ? blocks[b] : EMPTY;
    }

    /** Quantises all blocks of a snapshot whose version has changed. */
    void take(Snapshot snapshot) {
        blockCount = snapshot.poses().blockCount();
        tick = snapshot.tick();
        int known = blocks.length;
        if (known < blockCount) {
            blocks = Arrays.copyOf(blocks, blockCount);
            Arrays.setAll(blocks, b -> b < known ? blocks[b] : new Block());
        }
        for (int b = 0; b < blockCount; b++) {
            Block block = blocks[b];
            BodyBlock bodies = snapshot.bodyBlock(b);
            long posesVersion = snapshot.motion(b).changedTick();
            boolean otherBodies = block.bodiesVersion != bodies.changedTick();
            if (otherBodies) {
                block.takeBodies(bodies, snapshot.poses().slotsIn(b));
            }
            if (otherBodies || block.posesVersion != posesVersion) {
                block.takePoses(snapshot.poses().block(b), snapshot.poses().slotsIn(b), posesVersion);
            }
        }
    }

    private static int units(float metres) {
        return Math.max(-MAX_UNITS, Math.min(MAX_UNITS, (int) Math.rint(metres * UNITS_PER_METRE)));
    }

    /** Packs the three smallest components of a unit quaternion in 10 bits each, and the index of the fourth. */
    static int rotation(float x, float y, float z, float w) {
        float ax = Math.abs(x);
        float ay = Math.abs(y);
        float az = Math.abs(z);
        float aw = Math.abs(w);
        if (aw >= ax && aw >= ay && aw >= az) {
            return code(3, w, x, y, z);
        } else if (ax >= ay && ax >= az) {
            return code(0, x, y, z, w);
        }
        return ay >= az ? code(1, y, x, z, w) : code(2, z, x, y, w);
    }

    private static int code(int largest, float sign, float a, float b, float c) {
        float scale = sign < 0 ? -CODES_PER_UNIT : CODES_PER_UNIT;
        return (((largest << BITS | component(a * scale)) << BITS) | component(b * scale)) << BITS
                | component(c * scale);
    }

    private static int component(float scaled) {
        return Math.max(0, Math.min(MAX, (int) (scaled + ROUNDED_MIDDLE))); // never negative, so the cast rounds down
    }
}
