package dev.escapement.state.capture;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The poses that were written in a tick. They are stored as they come, and checked block by block: a block that is complete while it is
 * still in the processor's cache, all others at the end of the capture.
 *
 * <pre>
 *   UNWRITTEN --add--&gt; WRITTEN --completed, or the end--&gt; CHECKED --add--&gt; CHECKED, pose by pose
 * </pre>
 *
 * <p>Physics thread only, except the counter.
 */
final class WrittenPoses {

    private static final byte UNWRITTEN = 0;
    private static final byte WRITTEN = 1;
    private static final byte CHECKED = 2;

    /** To check this many poses one by one takes less time than passes over their whole block. */
    private static final int FEW = 32;

    private static final byte[] NONE = new byte[PoseBlock.CAPACITY];
    private static final byte[] ONES = new byte[PoseBlock.CAPACITY];

    static {
        Arrays.fill(ONES, (byte) 1);
    }

    private final BodySlots slots;
    private final ChangedBlocks blocks;
    private final PosePasses passes = new PosePasses();

    /** Per block, what happened to it in this tick. */
    private byte[] states = {};

    /** Per block and slot, 1 if it has a body without a pose in this tick, otherwise 0. Bytes: a bit set would add dependent writes. */
    private byte[][] missing = {};

    /** Per block: what {@link #missing} refers to, unless all poses were written at once. Then this stays as it was at the tick's start. */
    private byte[][] own = {};

    private final int[] few = new int[FEW + 1];

    private Snapshot target;

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong quarantinedPoses = new AtomicLong();

    /** What was replaced first, for a message. Physics thread only. */
    private int firstSlot;

    private String firstWhat = "";

    WrittenPoses(BodySlots slots, ChangedBlocks blocks, Snapshot nothing) {
        this.slots = slots;
        this.blocks = blocks;
        target = nothing;
    }

    void startTick(Snapshot newTarget) {
        target = newTarget;
        for (int b = 0; b < states.length; b++) {
            if (states[b] != UNWRITTEN) {
                states[b] = UNWRITTEN;
                if (missing[b] == NONE) {
                    missing[b] = own[b];
                } else {
                    slots.copyLive(b << PoseBlock.SHIFT, own[b]);
                }
            }
        }
    }

    /** Makes room for a number of blocks. */
    void grow(int needed) {
        int known = states.length;
        if (needed > known) {
            states = Arrays.copyOf(states, needed);
            missing = Arrays.copyOf(missing, needed);
            own = Arrays.copyOf(own, needed);
            for (int b = known; b < needed; b++) {
                own[b] = new byte[PoseBlock.CAPACITY];
                missing[b] = own[b];
            }
        }
    }

    /** How many poses were written. */
    int count() {
        int count = 0;
        for (int b = 0; b < target.poses().blockCount(); b++) {
            for (int i = 0; states[b] != UNWRITTEN && i < target.poses().slotsIn(b); i++) {
                count += contains((b << PoseBlock.SHIFT) + i) ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether a slot has a body whose pose was written in this tick. */
    boolean contains(int slot) {
        return slots.isLive(slot) && missing[slot >>> PoseBlock.SHIFT][slot & PoseBlock.MASK] == 0;
    }

    /** Which slots of a block have a body without a pose: 1 if so, otherwise 0. Set it to 0 when the pose is written. */
    byte[] missing(int b) {
        return missing[b];
    }

    /** Whether any body of a block has no pose yet. */
    boolean hasMissing(int b) {
        return missing[b] != NONE && !Arrays.equals(missing[b], NONE);
    }

    /** Whether all of these slots, which are in one block, have a body without a pose. */
    boolean areMissing(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        int first = slot & PoseBlock.MASK;
        return (states[b] == UNWRITTEN && !slots.hasGaps())
                || Arrays.mismatch(missing[b], first, first + count, ONES, 0, count) < 0;
    }

    /** Notes that a body was spawned, whose pose is missing. */
    void spawned(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        if (missing[b] == NONE) {
            Arrays.fill(own[b], (byte) 0);
            missing[b] = own[b];
        }
        own[b][slot & PoseBlock.MASK] = 1;
    }

    /** Notes that poses of a block will be written. True if they must be checked one by one, because the block was checked before. */
    boolean begin(int b) {
        if (states[b] == UNWRITTEN) {
            states[b] = WRITTEN;
        }
        return states[b] == CHECKED;
    }

    /** Notes that the poses of slots of one block will all be written at once, before anything else is asked about them. */
    void beginAll(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        if (states[b] == UNWRITTEN && count == target.poses().slotsIn(b)) {
            missing[b] = NONE; // in large worlds, filling it and restoring it took a tenth of the capture
        } else {
            int first = slot & PoseBlock.MASK;
            Arrays.fill(missing[b], first, first + count, (byte) 0);
        }
        begin(b);
    }

    /** A body will be despawned. Its pose is taken out, because it may be NaN, which must not stay in an empty slot. */
    void despawning(int slot) {
        if (contains(slot)) {
            target.poses().blockOf(slot).set(slot & PoseBlock.MASK, 0, 0, 0, 0, 0, 0, 1);
        }
        own[slot >>> PoseBlock.SHIFT][slot & PoseBlock.MASK] = 0;
    }

    /** Whether all slots of a block have bodies, and all of them have a pose. */
    boolean isComplete(int b) {
        return !slots.hasGaps() && !hasMissing(b);
    }

    /** Checks a block if it is full of bodies, and all of them have a pose. */
    void checkIfComplete(int b) {
        if (states[b] == WRITTEN && target.poses().slotsIn(b) == PoseBlock.CAPACITY && isComplete(b)) {
            check(b);
        }
    }

    /** Checks all blocks that were not checked yet. */
    void checkRest() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (states[b] == WRITTEN) {
                int written = findFew(b);
                if (written > FEW) {
                    check(b);
                } else {
                    checkFew(b, written);
                }
            }
        }
    }

    /** Finds the first slots of a block that are not missing a pose. Returns how many, more than {@link #FEW} if there are more. */
    private int findFew(int b) {
        int count = target.poses().slotsIn(b);
        int found = 0;
        int from = 0;
        int distance = 0;
        while (distance >= 0 && found <= FEW) {
            distance = Arrays.mismatch(missing[b], from, count, ONES, from, count);
            if (distance >= 0) {
                few[found++] = from + distance;
                from += distance + 1;
            }
        }
        return found;
    }

    private void checkFew(int b, int written) {
        states[b] = CHECKED;
        for (int i = 0; i < written; i++) {
            int slot = (b << PoseBlock.SHIFT) + few[i];
            if (contains(slot)) {
                checkOne(slot);
            }
        }
    }

    /**
     * Checks the written poses of a block and prepares them for readers. Poses that were not written are those of the tick before, so that
     * the passes over the whole block find that they have not turned.
     */
    void check(int b) {
        states[b] = CHECKED;
        PoseBlock before = blocks.posesBefore(b);
        int first = b << PoseBlock.SHIFT;
        int count = target.poses().slotsIn(b);
        if (before == null || (blocks.areBodiesOpen(b) && hasNewBody(b, count)) || hasQuarantined(first)) {
            for (int i = 0; i < count; i++) {
                if (contains(first + i)) {
                    checkOne(first + i);
                }
            }
        } else if (!passes.check(target.poses().block(b), before, target.motion(b), count)) {
            checkIrregular(b, count);
        }
    }

    private void checkIrregular(int b, int count) {
        MotionBlock motion = target.motion(b);
        for (int i = 0; i < count; i++) {
            if (passes.isRegular(i)) {
                motion.turned(i, motion.turn[i]);
            } else if (contains((b << PoseBlock.SHIFT) + i)) {
                checkOne((b << PoseBlock.SHIFT) + i);
            } else {
                motion.turn[i] = 0; // a slot without a body, with any content
            }
        }
    }

    /** Checks one written pose: makes its rotation a unit quaternion, or replaces the pose by the body's last good one. */
    void checkOne(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        PoseBlock block = target.poses().block(b);
        PoseBlock before = posesBefore(slot);
        float scale = PoseLimits.scale(block, index);
        boolean bad = Float.isNaN(scale);
        if (bad) {
            countQuarantined(slot, quarantinedPoses() == 0 ? PoseLimits.fault(block, index) : "pose");
            restore(block, before, index);
            target.motion(b).turn[index] = 0;
        } else {
            Rotations.align(block, target.motion(b), before, index, scale);
        }
        if (bad != slots.quarantined.get(slot)) {
            slots.quarantined.set(slot, bad);
            blocks.openBodies(b).quarantined[index] = bad;
        }
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

    /** Whether a body has a written pose that is not replaced, checked or not. */
    boolean isGood(int slot) {
        return states[slot >>> PoseBlock.SHIFT] == CHECKED
                ? !slots.quarantined.get(slot)
                : !Float.isNaN(PoseLimits.scale(target.poses().blockOf(slot), slot & PoseBlock.MASK));
    }

    /** The block with the same body's pose in the tick before, null if the body did not exist. */
    @Nullable
    PoseBlock posesBefore(int slot) {
        PoseBlock before = blocks.posesBefore(slot >>> PoseBlock.SHIFT);
        return before == null || blocks.isSpawnedNow(slot) ? null : before;
    }

    /** Checks that no pose was written yet. */
    void requireNone(String why) {
        int before = count();
        if (before > 0) {
            throw new IllegalStateException(why + ", but " + before + " were already written in tick " + target.tick());
        }
    }

    /** Checks that a body is there, and has no pose yet. */
    void requireMissing(int slot) {
        slots.requireCounted(slot);
        if (contains(slot)) {
            throw new IllegalStateException(
                    "the pose of body " + slot + " was already written in tick " + target.tick());
        }
    }

    /** Checks that a body has a pose. */
    void requireWritten(int slot, String what) {
        if (!contains(slot)) {
            throw new IllegalStateException("the " + what + " of body " + slot
                    + " belongs to a pose, but none was written in tick " + target.tick() + "; set the pose first");
        }
    }

    /** Checks that every body that was spawned in this tick has a pose. */
    void requireAllNew() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (hasMissing(b) && blocks.areBodiesOpen(b)) {
                int first = b << PoseBlock.SHIFT;
                for (int slot = first; slot < first + target.poses().slotsIn(b); slot++) {
                    if (slots.isLive(slot) && blocks.isSpawnedNow(slot) && !contains(slot)) {
                        throw new IllegalStateException("body " + BodyId.toString(slots.id(slot))
                                + " was spawned in tick " + target.tick()
                                + " without a pose; set it in the same tick");
                    }
                }
            }
        }
    }

    void countQuarantined(int slot, String what) {
        if (quarantinedPoses.getPlain() == 0) {
            firstSlot = slot;
            firstWhat = what;
        }
        quarantinedPoses.setOpaque(quarantinedPoses.getPlain() + 1);
    }

    /** Any thread: see {@link Capture#quarantinedPoses()}. */
    long quarantinedPoses() {
        return quarantinedPoses.getOpaque();
    }

    /** See {@link Capture#firstQuarantined}. */
    String firstQuarantined(Snapshot of) {
        Bodies bodies = of.bodies();
        String body = bodies.exists(firstSlot)
                ? BodyId.toString(bodies.id(firstSlot)) + " (user data " + bodies.userData(firstSlot) + ")"
                : "in slot " + firstSlot;
        return "the " + firstWhat + " of body " + body + " in tick " + of.tick();
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
}
