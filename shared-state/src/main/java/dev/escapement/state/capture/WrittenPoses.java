package dev.escapement.state.capture;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores and checks the poses that a simulation writes in a tick. Checks each block once: when it is complete, because it is still in the
 * processor's cache then, or else at the end of the capture.
 *
 * <pre>
 *   state of a block   meaning                                    a pose stored in this state is checked
 *   UNWRITTEN          no pose of this tick                       later, with its block, which becomes WRITTEN
 *   WRITTEN            poses of this tick, all unchecked          later, with its block
 *   CHECKED            the block was complete, or the tick ends   immediately, because its block was checked before
 * </pre>
 *
 * <p>Physics thread only, except {@link #quarantinedPoses}.
 */
final class WrittenPoses {

    private static final byte UNWRITTEN = 0;
    private static final byte WRITTEN = 1;
    private static final byte CHECKED = 2;

    /** Checking this many poses one by one takes less time than passes over their whole block. */
    private static final int FEW = 32;

    private static final int POSITION_FLOATS = 3;
    private static final int ROTATION_FLOATS = 4;

    private static final byte[] NONE = new byte[PoseBlock.CAPACITY];
    private static final byte[] ONES = new byte[PoseBlock.CAPACITY];
    private static final PoseBlock NO_POSES = new PoseBlock();

    static {
        Arrays.fill(ONES, (byte) 1);
    }

    private final BodySlots slots;
    private final ChangedBlocks blocks;
    private final double dtSeconds;
    private @Nullable PosePasses passes;
    private Snapshot target;

    private long tick;

    private byte[] states = {};

    /**
     * Per block and slot: 1 for a body without a pose in this tick, else 0. Bytes, not bits, because setting a bit first reads its
     * neighbours, and so would wait for the write before. The array is in {@link #missingBuffers}, or {@link #NONE} if the simulation wrote
     * all poses at once.
     */
    private byte[][] missingPoses = {};

    /**
     * Per block: the buffer of {@link #missingPoses}. While the block uses {@link #NONE} instead, its buffer keeps a 1 for each body, ready
     * for the next tick.
     */
    private byte[][] missingBuffers = {};

    // Cache of set: the block that it wrote last. selectedBlock is -1 after setAll, a spawn or a despawn.
    private int selectedBlock;
    private int selectedEnd;
    private PoseBlock selectedPoses = NO_POSES;
    private byte[] selectedMissing = NONE;
    private boolean selectedIsChecked;

    /** The slots of bodies whose angular velocity turns them by more than a quarter turn a tick: in this step, and in the one before. */
    private BitSet spinning = new BitSet();

    private BitSet spinningBefore = new BitSet();

    private final int[] fewIndices = new int[FEW + 1];

    private final double[] turn = new double[3];

    /** Opaque: the physics thread alone writes it, any thread reads it, and it orders nothing else. */
    final AtomicLong quarantinedPoses = new AtomicLong();

    // The first quarantined value, for a message.
    private long firstId;
    private long firstTick;
    private String firstWhat = "";

    WrittenPoses(BodySlots slots, ChangedBlocks blocks, double dtSeconds, Snapshot nothing) {
        this.slots = slots;
        this.blocks = blocks;
        this.dtSeconds = dtSeconds;
        target = nothing;
    }

    void startTick(Snapshot newTarget, long newTick) {
        target = newTarget;
        tick = newTick;
        selectedBlock = -1;
        if (newTarget.isStepped()) {
            BitSet recycled = spinningBefore;
            spinningBefore = spinning;
            spinning = recycled;
            spinning.clear();
        }
        for (int b = 0; b < states.length; b++) {
            if (states[b] != UNWRITTEN) {
                states[b] = UNWRITTEN;
                if (missingPoses[b] == NONE) {
                    missingPoses[b] = missingBuffers[b];
                } else {
                    slots.copyLive(b << PoseBlock.SHIFT, missingBuffers[b]);
                }
            }
        }
    }

    void grow(PoseBlocks poses) {
        int room = states.length;
        int needed = poses.blockCount();
        if (room > 0 && needed > 0 && missingBuffers[0].length < poses.block(0).room()) {
            boolean isBuffer = missingPoses[0] != NONE;
            missingBuffers[0] = Arrays.copyOf(missingBuffers[0], poses.block(0).room());
            missingPoses[0] = isBuffer ? missingBuffers[0] : NONE;
        }
        if (needed > room) {
            states = Arrays.copyOf(states, needed);
            missingPoses = Arrays.copyOf(missingPoses, needed);
            missingBuffers = Arrays.copyOf(missingBuffers, needed);
            for (int b = room; b < needed; b++) {
                missingBuffers[b] = new byte[poses.block(b).room()];
                missingPoses[b] = missingBuffers[b];
            }
        }
    }

    void spawned(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        if (missingPoses[b] == NONE) {
            Arrays.fill(missingBuffers[b], (byte) 0);
            missingPoses[b] = missingBuffers[b];
        }
        missingBuffers[b][slot & PoseBlock.MASK] = 1;
    }

    /** Clears the pose of a body before its despawn: a NaN must not stay in an empty slot. */
    void despawning(int slot) {
        if (contains(slot)) {
            target.poses().blockOf(slot).set(slot & PoseBlock.MASK, 0, 0, 0, 0, 0, 0, 1);
        }
        missingBuffers[slot >>> PoseBlock.SHIFT][slot & PoseBlock.MASK] = 0;
    }

    boolean contains(int slot) {
        return slots.isLive(slot) && missingPoses[slot >>> PoseBlock.SHIFT][slot & PoseBlock.MASK] == 0;
    }

    private boolean hasMissing(int b) {
        int room = missingPoses[b].length;
        return missingPoses[b] != NONE && !Arrays.equals(missingPoses[b], 0, room, NONE, 0, room);
    }

    boolean set(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        if (slot >>> PoseBlock.SHIFT != selectedBlock) { // mostly equal, because poses come in slot order
            if (!slots.stays(slot)) {
                return false;
            }
            select(slot >>> PoseBlock.SHIFT);
        }
        int index = slot & PoseBlock.MASK;
        if (slot >= selectedEnd || selectedMissing[index] == 0) { // a slot without a body has 0, too
            return false;
        }
        selectedMissing[index] = 0;
        selectedPoses.set(index, x, y, z, rx, ry, rz, rw);
        if (selectedIsChecked) {
            checkOne(slot);
        }
        return true;
    }

    private void select(int b) {
        unselect();
        blocks.open(b, 1);
        begin(b);
        selectedBlock = b;
        selectedPoses = target.poses().block(b);
        selectedMissing = missingPoses[b];
        selectedEnd = slots.stayingSlots();
        selectedIsChecked = states[b] == CHECKED;
    }

    /** Checks the block that {@link #set} wrote last, if it is complete, and no longer caches it. Call it before each spawn and despawn. */
    void unselect() {
        if (selectedBlock >= 0) {
            checkIfComplete(selectedBlock);
            selectedBlock = -1;
        }
    }

    private void begin(int b) {
        if (states[b] == UNWRITTEN) {
            states[b] = WRITTEN;
        }
    }

    void setAll(int firstSlot, int count, float[] positions, float[] rotations) {
        requireRoom(count, positions, rotations);
        requireMissing(firstSlot, count);
        unselect();
        for (int done = 0; done < count; ) {
            int slot = firstSlot + done;
            int b = slot >>> PoseBlock.SHIFT;
            int n = inBlock(slot, count - done);
            blocks.open(b, n);
            beginAll(slot, n);
            copy(positions, rotations, done, target.poses().block(b), slot & PoseBlock.MASK, n);
            for (int i = 0; states[b] == CHECKED && i < n; i++) {
                checkOne(slot + i);
            }
            checkIfComplete(b);
            done += n;
        }
    }

    private static void requireRoom(int count, float[] positions, float[] rotations) {
        if (count < 0
                || (long) count * POSITION_FLOATS > positions.length
                || (long) count * ROTATION_FLOATS > rotations.length) {
            throw new IllegalArgumentException(count + " bodies need " + (long) count * POSITION_FLOATS
                    + " floats of position and " + (long) count * ROTATION_FLOATS + " of rotation, but there are "
                    + positions.length + " and " + rotations.length);
        }
    }

    private void requireMissing(int firstSlot, int count) {
        boolean all = firstSlot >= 0 && count <= slots.stayingSlots() - firstSlot;
        for (int done = 0; all && done < count; ) {
            int b = (firstSlot + done) >>> PoseBlock.SHIFT;
            int index = (firstSlot + done) & PoseBlock.MASK;
            int n = inBlock(firstSlot + done, count - done);
            all = (states[b] == UNWRITTEN && !slots.hasGaps())
                    || Arrays.mismatch(missingPoses[b], index, index + n, ONES, 0, n) < 0;
            done += n;
        }
        for (int i = 0; !all && i < count; i++) {
            requireMissing(firstSlot + i); // its message names the body and the reason
        }
    }

    private static int inBlock(int slot, int count) {
        return Math.min(count, PoseBlock.CAPACITY - (slot & PoseBlock.MASK));
    }

    /** Marks poses of slots of one block as written. The caller writes them next, all at once. */
    private void beginAll(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        if (states[b] == UNWRITTEN && count == target.poses().slotsIn(b)) {
            missingPoses[b] = NONE; // in large worlds, filling and restoring the array took a tenth of the capture
        } else {
            int first = slot & PoseBlock.MASK;
            Arrays.fill(missingPoses[b], first, first + count, (byte) 0);
        }
        begin(b);
    }

    private static void copy(float[] positions, float[] rotations, int at, PoseBlock block, int index, int count) {
        for (int i = 0; i < count; i++) {
            int p = POSITION_FLOATS * (at + i);
            block.px[index + i] = positions[p];
            block.py[index + i] = positions[p + 1];
            block.pz[index + i] = positions[p + 2];
        }
        for (int i = 0; i < count; i++) {
            int r = ROTATION_FLOATS * (at + i);
            block.qx[index + i] = rotations[r];
            block.qy[index + i] = rotations[r + 1];
            block.qz[index + i] = rotations[r + 2];
            block.qw[index + i] = rotations[r + 3];
        }
    }

    /** Adds a motion break with the full turns of a body, because two rotations do not determine them. */
    void angularVelocity(int slot, float wx, float wy, float wz) {
        if (!contains(slot)) {
            throw new IllegalStateException("the angular velocity of body " + slot
                    + " belongs to a pose, but none was written in tick " + tick + "; set the pose first");
        }
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        PoseBlock poses = target.poses().block(b);
        PoseBlock before = posesBefore(slot);
        boolean isBad =
                states[b] == CHECKED ? slots.quarantined.get(slot) : Float.isNaN(SinglePoses.scale(poses, index));
        if (!SinglePoses.isFinite(wx, wy, wz)) {
            countQuarantined(slot, "angular velocity");
        } else if (before != null && !isBad) { // a quarantined body shows its last good pose and does not turn
            double dt = target.isStepped() ? dtSeconds : 0; // a tick without a step, as in a pause, turns no body
            if (SinglePoses.spin(poses, target.motion(b), before, index, wx, wy, wz, dt, turn)) {
                spinning.set(slot);
            }
        }
    }

    /** Returns whether a body's angular velocity may explain any turn since the tick before. */
    boolean spins(int slot) {
        return spinning.get(slot) || spinningBefore.get(slot);
    }

    void requireNone() {
        int before = 0;
        for (int b = 0; b < target.poses().blockCount(); b++) {
            for (int i = 0; states[b] != UNWRITTEN && i < target.poses().slotsIn(b); i++) {
                before += contains((b << PoseBlock.SHIFT) + i) ? 1 : 0;
            }
        }
        if (before > 0) {
            throw new IllegalStateException("the origin must be set before the poses that are measured from it, but "
                    + before + " were already written in tick " + tick);
        }
    }

    void requireMissing(int slot) {
        slots.requireStaying(slot);
        if (contains(slot)) {
            throw new IllegalStateException("the pose of body " + slot + " was already written in tick " + tick);
        }
    }

    private void requireAllNew() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            boolean mayMiss = blocks.areBodiesOpen(b) && hasMissing(b);
            for (int i = 0; mayMiss && i < target.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) + i;
                if (missingPoses[b][i] != 0 && blocks.isSpawnedNow(slot)) {
                    throw new IllegalStateException("body " + BodyId.toString(slots.id(slot)) + " was spawned in tick "
                            + tick + " without a pose; set it in the same tick");
                }
            }
        }
    }

    void finish() {
        requireAllNew();
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (states[b] == WRITTEN && !checkFew(b)) {
                check(b);
            }
        }
    }

    /** Checks the written poses of a block one by one. Does nothing and returns false for more than {@link #FEW}. */
    private boolean checkFew(int b) {
        int end = target.poses().slotsIn(b);
        int count = 0;
        for (int i = nextWritten(b, 0, end); i >= 0 && count <= FEW; i = nextWritten(b, i + 1, end)) {
            fewIndices[count++] = i;
        }
        if (count > FEW) {
            return false;
        }
        states[b] = CHECKED;
        for (int i = 0; i < count; i++) {
            int slot = (b << PoseBlock.SHIFT) + fewIndices[i];
            if (contains(slot)) {
                checkOne(slot);
            }
        }
        return true;
    }

    private int nextWritten(int b, int from, int end) {
        int distance = Arrays.mismatch(missingPoses[b], from, end, ONES, from, end);
        return distance < 0 ? -1 : from + distance;
    }

    private void checkIfComplete(int b) {
        if (states[b] == WRITTEN
                && target.poses().slotsIn(b) == PoseBlock.CAPACITY
                && !slots.hasGaps()
                && !hasMissing(b)) {
            check(b);
        }
    }

    /**
     * Checks the written poses of a block and prepares them for readers. Poses that were not written equal the previous tick, so the passes
     * over the whole block compute a turn of 0 for them.
     */
    private void check(int b) {
        states[b] = CHECKED;
        PoseBlock before = blocks.posesBefore(b);
        int first = b << PoseBlock.SHIFT;
        int count = target.poses().slotsIn(b);
        if (before == null
                || before.room() < count
                || (blocks.areBodiesOpen(b) && hasNewBody(b, count))
                || hasQuarantined(first)) {
            for (int i = 0; i < count; i++) {
                if (contains(first + i)) {
                    checkOne(first + i);
                }
            }
        } else {
            PosePasses inPasses = passes == null ? new PosePasses() : passes; // a world of few bodies needs none
            passes = inPasses;
            if (!inPasses.check(target.poses().block(b), before, target.motion(b), count)) {
                checkIrregular(b, count, inPasses);
            }
        }
    }

    private boolean hasNewBody(int b, int count) {
        int i = 0;
        while (i < count && !blocks.isSpawnedNow((b << PoseBlock.SHIFT) + i)) {
            i++;
        }
        return i < count;
    }

    private boolean hasQuarantined(int firstSlot) {
        int next = slots.quarantined.nextSetBit(firstSlot);
        return next >= 0 && next < firstSlot + PoseBlock.CAPACITY;
    }

    private void checkIrregular(int b, int count, PosePasses inPasses) {
        MotionBlock motion = target.motion(b);
        for (int i = 0; i < count; i++) {
            if (inPasses.isRegular(i)) {
                motion.turned(i, motion.turn[i]);
            } else if (contains((b << PoseBlock.SHIFT) + i)) {
                checkOne((b << PoseBlock.SHIFT) + i);
            } else {
                motion.turn[i] = 0; // the slot has no body, so its content is arbitrary
            }
        }
    }

    /** Checks one written pose: makes its rotation a unit quaternion, or replaces the pose by the body's last good one. */
    private void checkOne(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        PoseBlock block = target.poses().block(b);
        PoseBlock before = posesBefore(slot);
        float scale = SinglePoses.scale(block, index);
        boolean bad = Float.isNaN(scale);
        if (bad) {
            countQuarantined(slot, quarantinedPoses.getPlain() == 0 ? SinglePoses.fault(block, index) : "pose");
            restore(block, before, index);
            target.motion(b).turn[index] = 0;
        } else {
            SinglePoses.align(block, target.motion(b), before, index, scale);
        }
        if (bad != slots.quarantined.get(slot)) {
            slots.quarantined.set(slot, bad);
            blocks.openBodies(b).quarantined[index] = bad;
        }
    }

    /** The block with the body's pose of the tick before, null for a new body. */
    private @Nullable PoseBlock posesBefore(int slot) {
        PoseBlock before = blocks.posesBefore(slot >>> PoseBlock.SHIFT);
        return before == null || blocks.isSpawnedNow(slot) ? null : before;
    }

    private void restore(PoseBlock block, @Nullable PoseBlock lastGood, int index) {
        if (lastGood == null) {
            block.set(index, 0, 0, 0, 0, 0, 0, 1);
        } else {
            block.set(
                    index,
                    lastGood.px[index],
                    lastGood.py[index],
                    lastGood.pz[index],
                    lastGood.qx[index],
                    lastGood.qy[index],
                    lastGood.qz[index],
                    lastGood.qw[index]);
            blocks.moveToOrigin(block, index);
        }
    }

    void countQuarantined(int slot, String what) {
        if (quarantinedPoses.getPlain() == 0) {
            firstId = slots.id(slot);
            firstTick = tick;
            firstWhat = what;
        }
        quarantinedPoses.setOpaque(quarantinedPoses.getPlain() + 1);
    }

    String firstQuarantined(Snapshot of) {
        Bodies bodies = of.bodies();
        String data = bodies.exists(firstId) ? " (user data " + bodies.userData(bodies.slotOf(firstId)) + ")" : "";
        return "the " + firstWhat + " of body " + BodyId.toString(firstId) + data + " in tick " + firstTick;
    }
}
