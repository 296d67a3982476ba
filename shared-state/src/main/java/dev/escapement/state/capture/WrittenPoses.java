package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
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

    private static final byte[] ALL_WRITTEN = new byte[PoseBlock.CAPACITY];
    private static final byte[] ALL_UNWRITTEN = new byte[PoseBlock.CAPACITY];
    private static final PoseBlock NO_POSES = new PoseBlock();

    static {
        Arrays.fill(ALL_UNWRITTEN, (byte) 1);
    }

    private final BodySlots slots;
    private final DirtyBlocks blocks;
    private final double dtSeconds;
    private @Nullable PoseChecks blockChecks;
    private Snapshot target;

    private byte[] states = {};

    /**
     * Per block and slot: 1 for a body without a pose in this tick, else 0. Bytes, not bits, because setting a bit first reads its
     * neighbours, and so would wait for the write before.
     */
    private byte[][] unwritten = {};

    /** Per block: whether all poses were written at once. Then {@link #unwritten} keeps a 1 for each body, ready for the next tick. */
    private boolean[] areWhole = {};

    // Cache of set: the block that it wrote last. selectedBlock is -1 after setAll, a spawn or a despawn.
    private int selectedBlock;
    private int selectedEnd;
    private PoseBlock selectedPoses = NO_POSES;
    private byte[] selectedUnwritten = ALL_WRITTEN;
    private boolean selectedIsChecked;

    /** The slots of bodies whose angular velocity turns them by more than a quarter turn a tick: in this step, and in the one before. */
    private BitSet spinning = new BitSet();

    private BitSet spinningBefore = new BitSet();

    private final int[] fewIndices = new int[FEW + 1];

    private final double[] rotation = new double[3];

    /** Opaque: the physics thread alone writes it, any thread reads it, and it orders nothing else. */
    final AtomicLong quarantinedPoses = new AtomicLong();

    /** Describes the first quarantined value, for a message. */
    String firstQuarantined = "";

    WrittenPoses(BodySlots slots, DirtyBlocks blocks, double dtSeconds, Snapshot nothing) {
        this.slots = slots;
        this.blocks = blocks;
        this.dtSeconds = dtSeconds;
        target = nothing;
    }

    void startTick(Snapshot newTarget) {
        target = newTarget;
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
                if (areWhole[b]) {
                    areWhole[b] = false;
                } else {
                    slots.copyLive(b << PoseBlock.SHIFT, unwritten[b]);
                }
            }
        }
    }

    void grow(int blockCount) {
        int room = states.length;
        if (blockCount > room) {
            states = Arrays.copyOf(states, blockCount);
            areWhole = Arrays.copyOf(areWhole, blockCount);
            unwritten = Arrays.copyOf(unwritten, blockCount);
            for (int b = room; b < blockCount; b++) {
                unwritten[b] = new byte[PoseBlock.CAPACITY];
            }
        }
    }

    void spawned(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        if (areWhole[b]) {
            Arrays.fill(unwritten[b], (byte) 0);
            areWhole[b] = false;
        }
        unwritten[b][slot & PoseBlock.MASK] = 1;
    }

    /** Clears the pose of a body before its despawn: a NaN must not stay in an empty slot. */
    void despawning(int slot) {
        if (contains(slot)) {
            target.poses().blockOf(slot).set(slot & PoseBlock.MASK, 0, 0, 0, 0, 0, 0, 1);
        }
        unwritten[slot >>> PoseBlock.SHIFT][slot & PoseBlock.MASK] = 0;
    }

    boolean contains(int slot) {
        return slots.isLive(slot) && unwrittenOf(slot >>> PoseBlock.SHIFT)[slot & PoseBlock.MASK] == 0;
    }

    private byte[] unwrittenOf(int b) {
        return areWhole[b] ? ALL_WRITTEN : unwritten[b];
    }

    boolean set(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        if (slot >>> PoseBlock.SHIFT != selectedBlock) { // mostly equal, because poses come in slot order
            if (!slots.stays(slot)) {
                return false;
            }
            select(slot >>> PoseBlock.SHIFT);
        }
        int index = slot & PoseBlock.MASK;
        if (slot >= selectedEnd || selectedUnwritten[index] == 0) { // a slot without a body has 0, too
            return false;
        }
        selectedUnwritten[index] = 0;
        selectedPoses.set(index, x, y, z, rx, ry, rz, rw);
        if (selectedIsChecked) {
            checkOne(slot, selectedPoses, target.motion(selectedBlock), blocks.posesBefore(selectedBlock));
        }
        return true;
    }

    private void select(int b) {
        unselect();
        blocks.makeDirty(b, 1);
        markWritten(b);
        selectedBlock = b;
        selectedPoses = target.poses().block(b);
        selectedUnwritten = unwrittenOf(b);
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

    private void markWritten(int b) {
        if (states[b] == UNWRITTEN) {
            states[b] = WRITTEN;
        }
    }

    void setAll(int firstSlot, int count, float[] positions, float[] rotations) {
        requireRoom(count, positions, rotations);
        requireUnwritten(firstSlot, count);
        unselect();
        for (int done = 0; done < count; ) {
            int slot = firstSlot + done;
            int b = slot >>> PoseBlock.SHIFT;
            int n = inBlock(slot, count - done);
            blocks.makeDirty(b, n);
            markWritten(slot, n);
            copy(positions, rotations, done, target.poses().block(b), slot & PoseBlock.MASK, n);
            for (int i = 0; states[b] == CHECKED && i < n; i++) {
                checkOne(slot + i, target.poses().block(b), target.motion(b), blocks.posesBefore(b));
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

    private void requireUnwritten(int firstSlot, int count) {
        boolean all = firstSlot >= 0 && count <= slots.stayingSlots() - firstSlot;
        for (int done = 0; all && done < count; ) {
            int b = (firstSlot + done) >>> PoseBlock.SHIFT;
            int index = (firstSlot + done) & PoseBlock.MASK;
            int n = inBlock(firstSlot + done, count - done);
            all = (states[b] == UNWRITTEN && !slots.hasGaps())
                    || Arrays.mismatch(unwrittenOf(b), index, index + n, ALL_UNWRITTEN, 0, n) < 0;
            done += n;
        }
        for (int i = 0; !all && i < count; i++) {
            requireUnwritten(firstSlot + i); // its message names the body and the reason
        }
    }

    private static int inBlock(int slot, int count) {
        return Math.min(count, PoseBlock.CAPACITY - (slot & PoseBlock.MASK));
    }

    /** Marks poses of slots of one block as written. The caller writes them next, all at once. */
    private void markWritten(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        if (states[b] == UNWRITTEN && count == target.poses().slotsIn(b)) {
            areWhole[b] = true; // in large worlds, filling and restoring the array took a tenth of the capture
        } else {
            int first = slot & PoseBlock.MASK;
            Arrays.fill(unwritten[b], first, first + count, (byte) 0);
        }
        markWritten(b);
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
                    + " belongs to a pose, but none was written in tick " + target.tick() + "; set the pose first");
        }
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        PoseBlock poses = target.poses().block(b);
        PoseBlock before = slots.changed.get(slot) ? null : blocks.posesBefore(b); // a new body has no earlier pose
        boolean isBad =
                states[b] == CHECKED ? slots.quarantined.get(slot) : Float.isNaN(PoseChecks.factor(poses, index));
        if (!PoseChecks.isFinite(wx, wy, wz)) {
            countQuarantined(slot, "angular velocity");
        } else if (before != null && !isBad) { // a quarantined body shows its last good pose and does not turn
            double dt = target.isStepped() ? dtSeconds : 0; // a tick without a step, as in a pause, turns no body
            if (PoseChecks.spin(poses, target.motion(b), before, index, wx, wy, wz, dt, rotation)) {
                spinning.set(slot);
            }
        }
    }

    /** Returns whether a body's angular velocity may explain any turn since the tick before. */
    boolean spins(int slot) {
        return spinning.get(slot) || spinningBefore.get(slot);
    }

    void requireNoPoses() {
        int before = 0;
        for (int b = 0; b < target.poses().blockCount(); b++) {
            for (int i = 0; states[b] != UNWRITTEN && i < target.poses().slotsIn(b); i++) {
                before += contains((b << PoseBlock.SHIFT) + i) ? 1 : 0;
            }
        }
        if (before > 0) {
            throw new IllegalStateException("the origin must be set before the poses that are measured from it, but "
                    + before + " were already written in tick " + target.tick());
        }
    }

    void requireUnwritten(int slot) {
        slots.requireStaying(slot);
        if (contains(slot)) {
            throw new IllegalStateException(
                    "the pose of body " + slot + " was already written in tick " + target.tick());
        }
    }

    private void requireAllNew() {
        for (int slot = slots.changed.nextSetBit(0); slot >= 0; slot = slots.changed.nextSetBit(slot + 1)) {
            if (slots.isLive(slot) && !contains(slot)) {
                throw new IllegalStateException("body " + BodyId.toString(slots.id(slot)) + " was spawned in tick "
                        + target.tick() + " without a pose; set it in the same tick");
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
        PoseBlock block = target.poses().block(b);
        MotionBlock motion = target.motion(b);
        PoseBlock before = blocks.posesBefore(b);
        boolean hasGaps = slots.hasGaps();
        for (int i = 0; i < count; i++) {
            int slot = (b << PoseBlock.SHIFT) + fewIndices[i];
            if (!hasGaps || slots.isLive(slot)) { // a slot without a body counts as written
                checkOne(slot, block, motion, before);
            }
        }
        return true;
    }

    private int nextWritten(int b, int from, int end) {
        int distance = Arrays.mismatch(unwrittenOf(b), from, end, ALL_UNWRITTEN, from, end);
        return distance < 0 ? -1 : from + distance;
    }

    private void checkIfComplete(int b) {
        if (states[b] == WRITTEN
                && target.poses().slotsIn(b) == PoseBlock.CAPACITY
                && !slots.hasGaps()
                && Arrays.equals(unwrittenOf(b), ALL_WRITTEN)) {
            check(b);
        }
    }

    /**
     * Checks the written poses of a block and prepares them for readers. Poses that were not written equal the previous tick, so the passes
     * over the whole block compute a turn of 0 for them.
     */
    private void check(int b) {
        states[b] = CHECKED;
        PoseBlock block = target.poses().block(b);
        PoseBlock before = blocks.posesBefore(b);
        int first = b << PoseBlock.SHIFT;
        int count = target.poses().slotsIn(b);
        if (before == null
                || before.room() < count
                || (blocks.areBodiesDirty(b) && hasAny(slots.changed, first, count))
                || hasAny(slots.quarantined, first, count)) {
            for (int i = 0; i < count; i++) {
                if (contains(first + i)) {
                    checkOne(first + i, block, target.motion(b), before);
                }
            }
        } else {
            PoseChecks checks =
                    blockChecks == null ? new PoseChecks() : blockChecks; // a world of few bodies needs none
            blockChecks = checks;
            if (!checks.check(block, before, target.motion(b), count)) {
                checkIrregular(b, block, before, count, checks);
            }
        }
    }

    private static boolean hasAny(BitSet set, int first, int count) {
        int next = set.nextSetBit(first);
        return next >= 0 && next < first + count;
    }

    private void checkIrregular(int b, PoseBlock block, PoseBlock before, int count, PoseChecks checks) {
        MotionBlock motion = target.motion(b);
        for (int i = 0; i < count; i++) {
            if (checks.isRegular(i)) {
                motion.turned(i, motion.turn[i]);
            } else if (contains((b << PoseBlock.SHIFT) + i)) {
                checkOne((b << PoseBlock.SHIFT) + i, block, motion, before);
            } else {
                motion.turn[i] = 0; // the slot has no body, so its content is arbitrary
            }
        }
    }

    /** Checks one written pose: makes its rotation a unit quaternion, or replaces the pose by the body's last good one. */
    private void checkOne(int slot, PoseBlock block, MotionBlock motion, @Nullable PoseBlock blockBefore) {
        int index = slot & PoseBlock.MASK;
        PoseBlock before = slots.changed.get(slot) ? null : blockBefore; // a new body has no earlier pose
        float factor = PoseChecks.factor(block, index);
        boolean bad = Float.isNaN(factor);
        if (bad) {
            countQuarantined(slot, quarantinedPoses.getPlain() == 0 ? PoseChecks.fault(block, index) : "pose");
            restore(block, before, index);
            motion.turn[index] = 0;
        } else {
            PoseChecks.align(block, motion, before, index, factor);
        }
        if (bad != slots.quarantined.get(slot)) {
            slots.quarantined.set(slot, bad);
            blocks.makeBodiesDirty(slot >>> PoseBlock.SHIFT).quarantined[index] = bad;
        }
    }

    private void restore(PoseBlock block, @Nullable PoseBlock lastGood, int index) {
        if (lastGood == null) {
            block.set(index, 0, 0, 0, 0, 0, 0, 1);
        } else {
            block.copyPose(lastGood, index);
            blocks.moveToOrigin(block, index);
        }
    }

    void countQuarantined(int slot, String what) {
        if (quarantinedPoses.getPlain() == 0) {
            long userData = blocks.bodies(slot >>> PoseBlock.SHIFT).userData[slot & PoseBlock.MASK];
            firstQuarantined = "the " + what + " of body " + BodyId.toString(slots.id(slot)) + " (user data " + userData
                    + ") in tick " + target.tick();
        }
        quarantinedPoses.setOpaque(quarantinedPoses.getPlain() + 1);
    }
}
