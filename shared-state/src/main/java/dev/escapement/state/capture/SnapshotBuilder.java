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
 * Builds the snapshot of a tick from that of the tick before and from what has changed since. Does not check its arguments: {@link PoseWriter}
 * has.
 *
 * <p>Physics thread only, except the counters.
 */
final class SnapshotBuilder {

    private final PoseLayout layout;
    private final BodySlots slots;

    /** Slots whose pose was set in this tick. */
    private final SlotSet written;

    /** Slots of bodies that jumped beside their motion in this tick. */
    private final SlotSet shifted;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    private final AtomicLong quarantinedPoses = new AtomicLong();
    private final AtomicLong grownBlocks = new AtomicLong();

    private final double dtSeconds;
    private final Snapshot nothing;
    private final ChangedBlocks blocks;
    private final Tangents tangents;
    private Snapshot target;
    private @Nullable Snapshot previous;
    private int spawned;
    private int spawnedWithoutPose;
    private int posesWritten;

    private boolean originShifted;

    // The block that was opened last.
    private int selected;
    private PoseBlock selectedPoses;
    private MotionBlock selectedMotion;
    private @Nullable PoseBlock selectedBefore;

    SnapshotBuilder(PoseLayout layout, double dtSeconds, int preallocatedBodies, BodySlots slots) {
        this.layout = layout;
        this.slots = slots;
        this.dtSeconds = dtSeconds;
        nothing = new Snapshot(1, layout);
        nothing.resize(1);
        target = nothing;
        written = new SlotSet(preallocatedBodies);
        shifted = new SlotSet(preallocatedBodies);
        blocks = new ChangedBlocks(nothing);
        selectedPoses = nothing.poses().block(0);
        selectedMotion = nothing.motion(0);
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
        slots.exchange();
        if (latest != null) {
            snapshot.origin(latest.originX(), latest.originY(), latest.originZ());
        }
        written.clear(slots.slotCount());
        shifted.clear(slots.slotCount());
        blocks.startTick(snapshot, latest);
        resize();
    }

    void release() {
        target = nothing;
        previous = null;
        blocks.startTick(nothing, null);
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
        slots.decide();
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

    /** Spawns new bodies at once, and despawns those that are too many at the end: another call may count more. */
    void countBodies(int bodies) {
        while (slots.liveCount() < bodies) {
            addBody(slots.spawn(), 0);
        }
        slots.keepFirst(bodies);
    }

    /** Despawns the bodies that were not counted in the end. From now on bodies are spawned one by one. */
    void removeUncounted() {
        while (slots.hasUncounted()) {
            despawn(slots.slotCount() - 1);
        }
        slots.keepFirst(Integer.MAX_VALUE);
    }

    /** Shows the new body of a slot. */
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
     * Prepares for poses from one slot on, all in one block, to be written. Most poses come in the order of their slots: what belongs to a
     * block is looked up once.
     */
    void open(int slot, int count) {
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

    /** Writes a pose into the block that was opened last, or the last good one if the scale is NaN. */
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

    /** Whether a pose can be written. */
    boolean isUnwritten(int slot) {
        return slots.isCounted(slot) && !written.contains(slot);
    }

    /** Whether the pose of a body was set in this tick. */
    boolean isWritten(int slot) {
        return written.contains(slot);
    }

    /** Whether every body was there in the tick before, with a good pose, so that many can be written at once. */
    boolean canWriteAll() {
        return spawned == 0 && slots.quarantined.isEmpty();
    }

    /** Writes bodies in consecutive slots of the block that was opened last, from the arrays' body {@code at} on. */
    void setAllPoses(int slot, int count, int at, float[] positions, float[] rotations) {
        PoseBlock before = Objects.requireNonNull(selectedBefore); // nothing was spawned: all was there
        BulkPoses.setPoses(
                selectedPoses, selectedMotion, before, slot & PoseBlock.MASK, count, at, positions, rotations);
        written.addAll(slot, count);
        posesWritten += count;
    }

    private void quarantine(int slot) {
        int index = slot & PoseBlock.MASK;
        PoseBlock lastGood = before(slot);
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
        PoseBlock before = before(slot);
        if (before != null && !slots.quarantined.get(slot)) { // what shows its last good pose does not turn
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

    /** Where the same body was in the tick before, null if it was not there. */
    private @Nullable PoseBlock before(int slot) {
        PoseBlock before = blocks.posesBefore(slot >>> PoseBlock.SHIFT);
        return before == null || isSpawnedNow(slot) ? null : before;
    }

    private boolean isSpawnedNow(int slot) {
        BodyBlock bodies = target.bodyBlock(slot >>> PoseBlock.SHIFT);
        // A spawn opens the block: in any other there is none, although an earlier tick may have left its number there.
        return bodies.changedTick() == target.tick() && bodies.sinceTick[slot & PoseBlock.MASK] == target.tick();
    }

    /** What holds for bodies of a block in every tick that changes it, until they are told otherwise. */
    private void addStandingBreaks(int b) {
        MotionBreaks breaks = target.motion(b).breaks();
        int first = b << PoseBlock.SHIFT;
        int end = first + PoseBlock.CAPACITY;
        BitSet snapping = slots.snapping;
        for (int slot = snapping.nextSetBit(first); slot >= 0 && slot < end; slot = snapping.nextSetBit(slot + 1)) {
            breaks.add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
        }
        // A pose that was replaced by the last good one did not jump, even if a jump to the replaced one was announced.
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

    /** Turns a position that was measured from the origin of the tick before into one that is measured from this tick's. */
    private void shift(PoseBlock block, int index) {
        Snapshot before = previous;
        if (before != null) {
            block.px[index] += (float) (before.originX() - target.originX());
            block.py[index] += (float) (before.originY() - target.originY());
            block.pz[index] += (float) (before.originZ() - target.originZ());
        }
    }

    /** The snapshot has as many slots as the world, and all that is indexed by slot has room. */
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
