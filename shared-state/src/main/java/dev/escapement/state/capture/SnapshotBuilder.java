package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Builds the snapshot of a tick from that of the tick before and from what has changed since. {@link PoseWriter} checks the arguments.
 *
 * <p>Physics thread only, except the counters.
 */
final class SnapshotBuilder {

    private final PoseLayout layout;
    private final BodySlots slots;

    /** Slots whose pose was set in this tick. */
    private final SlotSet written;

    /** Slots of bodies that jumped in addition to their motion in this tick. */
    private final SlotSet shifted;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    private final AtomicLong quarantinedPoses = new AtomicLong();
    private final AtomicLong grownBlocks = new AtomicLong();

    private final double dtSeconds;
    private final Snapshot emptySnapshot;
    private final ChangedBlocks blocks;
    private final Tangents tangents;
    private Snapshot target;
    private @Nullable Snapshot previous;
    private int spawned;
    private int spawnedWithoutPose;
    private int posesWritten;

    private boolean originShifted;

    // The block that was selected last.
    private int selected;
    private PoseBlock selectedPoses;
    private MotionBlock selectedMotion;
    private @Nullable PoseBlock selectedBefore;

    SnapshotBuilder(PoseLayout layout, double dtSeconds, int preallocatedBodies, BodySlots slots) {
        this.layout = layout;
        this.slots = slots;
        this.dtSeconds = dtSeconds;
        emptySnapshot = new Snapshot(1, layout);
        emptySnapshot.resize(1);
        target = emptySnapshot;
        written = new SlotSet(preallocatedBodies);
        shifted = new SlotSet(preallocatedBodies);
        blocks = new ChangedBlocks(emptySnapshot);
        selectedPoses = emptySnapshot.poses().block(0);
        selectedMotion = emptySnapshot.motion(0);
        tangents = new Tangents(layout, dtSeconds, preallocatedBodies);
    }

    /** Starts to build a snapshot that follows the latest one. */
    void startTick(Snapshot snapshot, @Nullable Snapshot latest) {
        target = snapshot;
        previous = latest;
        spawned = 0;
        spawnedWithoutPose = 0;
        posesWritten = 0;
        selected = -1;
        originShifted = false;
        slots.keepFirst(Integer.MAX_VALUE);
        slots.refillReserve();
        if (latest != null) {
            snapshot.origin(latest.originX(), latest.originY(), latest.originZ());
        }
        written.clear(slots.slotCount());
        shifted.clear(slots.slotCount());
        blocks.startTick(snapshot, latest);
        resize();
    }

    void release() {
        target = emptySnapshot;
        previous = null;
        blocks.startTick(emptySnapshot, null);
    }

    long tick() {
        return target.tick();
    }

    int posesWritten() {
        return posesWritten;
    }

    /** A body that was spawned in this tick and has no pose yet, -1 if there is none. */
    int slotWithoutPose() {
        if (spawnedWithoutPose > 0) {
            for (int slot = 0; slot < slots.slotCount(); slot++) {
                if (slots.isLive(slot) && isSpawnedNow(slot) && !written.contains(slot)) {
                    return slot;
                }
            }
        }
        return -1;
    }

    void finish() {
        slots.keepReservations();
        resize();
        if (originShifted) {
            keepRestingBodiesInPlace();
        }
        blocks.close();
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (blocks.isOpen(b)) {
                addStandingBreaks(b);
                if (layout.hasTangents()) {
                    tangents.finish(b, target, previous, written);
                }
            }
        }
    }

    void origin(double x, double y, double z) {
        target.origin(x, y, z);
        Snapshot before = previous;
        originShifted = before != null && (before.originX() != x || before.originY() != y || before.originZ() != z);
    }

    /** Spawns new bodies immediately. Surplus bodies are despawned at the end of the capture, because another call may count more. */
    void countBodies(int bodies) {
        while (slots.liveCount() < bodies) {
            addBody(slots.spawn(), 0);
        }
        slots.keepFirst(bodies);
    }

    /** Despawns the bodies beyond the last count. From now on bodies are spawned one by one. */
    void removeUncounted() {
        while (slots.hasUncounted()) {
            despawn(slots.slotCount() - 1);
        }
        slots.keepFirst(Integer.MAX_VALUE);
    }

    /** Adds the new body of a slot to the snapshot. */
    void addBody(int slot, long userData) {
        resize();
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        blocks.open(b);
        for (float[] channel : target.poses().block(b).channels) {
            channel[index] = 0;
        }
        blocks.openBodies(b).spawn(index, slots.generation(slot), target.tick(), userData);
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
        target.motion(b).clear(index);
        spawned++;
        spawnedWithoutPose++;
    }

    void despawn(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        blocks.open(b);
        BodyBlock bodies = blocks.openBodies(b);
        if (bodies.sinceTick[index] == target.tick() && !written.contains(slot)) {
            spawnedWithoutPose--;
        }
        slots.despawn(slot);
        bodies.despawn(index, slots.generation(slot), target.tick());
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
        written.remove(slot);
        shifted.remove(slot);
    }

    void jump(int slot, MotionBreaks.Kind kind, float dx, float dy, float dz) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        blocks.open(b);
        blocks.openBodies(b).teleports[index]++;
        if (kind == MotionBreaks.Kind.SHIFTED && shifted.contains(slot)) {
            target.motion(b).breaks().addTo(kind, index, dx, dy, dz);
        } else {
            target.motion(b).breaks().add(kind, index, dx, dy, dz);
        }
        if (kind == MotionBreaks.Kind.SHIFTED) {
            shifted.add(slot);
        }
    }

    /**
     * Selects the block of the next {@code count} poses from a slot on, all in one block. Poses mostly come in slot order, so a block is
     * looked up once for all of its poses.
     */
    void selectBlock(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        if (b == selected) {
            return;
        }
        if (count == target.poses().slotsIn(b)) {
            blocks.openForAll(b);
        } else {
            blocks.open(b);
        }
        selected = b;
        selectedPoses = target.poses().block(b);
        selectedMotion = target.motion(b);
        selectedBefore = blocks.posesBefore(b);
    }

    /** Writes a pose into the selected block, or the body's last good one if the scale is NaN. */
    void setPose(int slot, float scale, float x, float y, float z, float rx, float ry, float rz, float rw) {
        if (Float.isNaN(scale)) {
            quarantine(slot);
            return;
        }
        int index = slot & PoseBlock.MASK;
        PoseBlock block = selectedPoses;
        block.px[index] = x;
        block.py[index] = y;
        block.pz[index] = z;
        PoseBlock before = spawned > 0 && isSpawnedNow(slot) ? null : selectedBefore;
        Rotations.setRotation(block, selectedMotion, before, index, scale * rx, scale * ry, scale * rz, scale * rw);
        markWritten(slot);
        if (!slots.quarantined.isEmpty() && slots.quarantined.get(slot)) {
            slots.quarantined.clear(slot);
            blocks.openBodies(selected).quarantined[index] = false;
        }
    }

    /** Whether a slot has a body whose pose was not written yet in this tick. */
    boolean isUnwritten(int slot) {
        return slots.isCounted(slot) && !written.contains(slot);
    }

    /** Whether the pose of a body was set in this tick. */
    boolean isWritten(int slot) {
        return written.contains(slot);
    }

    /** Whether every body existed in the tick before with a good pose, so that poses can be written in bulk. */
    boolean canWriteAll() {
        return spawned == 0 && slots.quarantined.isEmpty();
    }

    /** Writes bodies in consecutive slots of the selected block, from the arrays' body {@code at} on. */
    void setAllPoses(int slot, int count, int at, float[] positions, float[] rotations) {
        PoseBlock before = Objects.requireNonNull(selectedBefore); // not null: nothing was spawned
        BulkPoses.setPoses(
                selectedPoses, selectedMotion, before, slot & PoseBlock.MASK, count, at, positions, rotations);
        written.addAll(slot, count);
        posesWritten += count;
    }

    private void quarantine(int slot) {
        int index = slot & PoseBlock.MASK;
        PoseBlock lastGood = posesBefore(slot);
        PoseBlock block = selectedPoses;
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
            shift(block, index);
        }
        markWritten(slot);
        countQuarantined();
        if (!slots.quarantined.get(slot)) {
            slots.quarantined.set(slot);
            blocks.openBodies(selected).quarantined[index] = true;
        }
    }

    void velocity(int slot, float vx, float vy, float vz) {
        MotionBlock motion = target.motion(slot >>> PoseBlock.SHIFT);
        int index = slot & PoseBlock.MASK;
        motion.vx[index] = vx;
        motion.vy[index] = vy;
        motion.vz[index] = vz;
    }

    void angularVelocity(int slot, float wx, float wy, float wz) {
        int b = slot >>> PoseBlock.SHIFT;
        PoseBlock before = posesBefore(slot);
        if (before != null && !slots.quarantined.get(slot)) { // a body that shows its last good pose does not turn
            int index = slot & PoseBlock.MASK;
            Rotations.spin(target.poses().block(b), target.motion(b), before, index, wx, wy, wz, dtSeconds);
        }
    }

    void channel(int slot, int channel, float value) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.open(b);
        target.poses().block(b).channels[channel][slot & PoseBlock.MASK] = value;
    }

    void countQuarantined() {
        quarantinedPoses.setOpaque(quarantinedPoses.getPlain() + 1);
    }

    /** Any thread: see {@link Capture#quarantinedPoses()}. */
    long quarantinedPoses() {
        return quarantinedPoses.getOpaque();
    }

    /** Any thread: see {@link Capture#grownBlocks()}. */
    long grownBlocks() {
        return grownBlocks.getOpaque();
    }

    private void markWritten(int slot) {
        written.add(slot);
        posesWritten++;
        if (spawnedWithoutPose > 0 && isSpawnedNow(slot)) {
            spawnedWithoutPose--;
        }
    }

    /** The block with the same body's pose in the tick before, null if the body did not exist. */
    private @Nullable PoseBlock posesBefore(int slot) {
        PoseBlock before = blocks.posesBefore(slot >>> PoseBlock.SHIFT);
        return before == null || isSpawnedNow(slot) ? null : before;
    }

    private boolean isSpawnedNow(int slot) {
        BodyBlock bodies = target.bodyBlock(slot >>> PoseBlock.SHIFT);
        // A spawn opens the block. A block that is not open has no spawned body, even if a reused array still says so.
        return bodies.changedTick() == target.tick() && bodies.sinceTick[slot & PoseBlock.MASK] == target.tick();
    }

    /** Adds the motion breaks that apply in every tick that changes a block: bodies that are not blended, and quarantined ones. */
    private void addStandingBreaks(int b) {
        MotionBreaks breaks = target.motion(b).breaks();
        int first = b << PoseBlock.SHIFT;
        int end = first + PoseBlock.CAPACITY;
        BitSet snapping = slots.snapping;
        for (int slot = snapping.nextSetBit(first); slot >= 0 && slot < end; slot = snapping.nextSetBit(slot + 1)) {
            breaks.add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
        }
        // A pose that was replaced by the last good one did not jump, even if the simulation announced a jump.
        BitSet replaced = slots.quarantined;
        for (int slot = replaced.nextSetBit(first); slot >= 0 && slot < end; slot = replaced.nextSetBit(slot + 1)) {
            if (shifted.contains(slot) && written.contains(slot)) {
                breaks.cancel(MotionBreaks.Kind.SHIFTED, slot & PoseBlock.MASK);
            }
        }
    }

    private void keepRestingBodiesInPlace() {
        PoseBlocks poses = target.poses();
        for (int b = 0; b < poses.blockCount(); b++) {
            blocks.open(b);
            for (int i = 0; i < poses.slotsIn(b); i++) {
                if (!written.contains((b << PoseBlock.SHIFT) + i)) {
                    shift(poses.block(b), i);
                }
            }
        }
    }

    /** Converts a position relative to the previous tick's origin into one relative to this tick's origin. */
    private void shift(PoseBlock block, int index) {
        Snapshot before = previous;
        if (before != null) {
            block.px[index] += (float) (before.originX() - target.originX());
            block.py[index] += (float) (before.originY() - target.originY());
            block.pz[index] += (float) (before.originZ() - target.originZ());
        }
    }

    /** Gives the snapshot as many slots as the world has, and grows all arrays that are indexed by slot. */
    private void resize() {
        int count = slots.slotCount();
        if (count != target.poses().slotCount()) {
            int added = target.resize(count);
            if (added > 0) {
                grownBlocks.setOpaque(grownBlocks.getPlain() + added);
            }
            written.grow(count);
            shifted.grow(count);
        }
        tangents.grow(count);
    }
}
