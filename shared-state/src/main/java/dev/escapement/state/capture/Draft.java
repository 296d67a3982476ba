package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot that is being written, and the world it belongs to. Trusts its caller: {@link PoseWriter} has checked
 * everything.
 */
final class Draft {

    final PoseLayout layout;
    final SlotReserve reserve;
    final SlotTable slots;
    final ReservedSlots reserved;
    final SlotSet written;
    private final SlotSet shifted;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    final AtomicLong quarantinedPoses = new AtomicLong();
    final AtomicLong grownBlocks = new AtomicLong();

    private final double dtSeconds;
    private final Snapshot nothing;
    private final ChangedBlocks blocks;
    private final Tangents tangents;
    private Snapshot target;
    private @Nullable Snapshot previous;
    private int spawned;
    private int spawnedWithoutPose;
    private int posesWritten;

    /** Bodies from this slot on are despawned at the end. */
    private int counted = Integer.MAX_VALUE;

    private boolean originShifted;

    // The block that was written last.
    private int selected;
    private PoseBlock selectedPoses;
    private MotionBlock selectedMotion;
    private @Nullable PoseBlock selectedBefore;

    Draft(PoseLayout layout, double dtSeconds, int preallocatedBodies, int firstGeneration) {
        this.layout = layout;
        this.dtSeconds = dtSeconds;
        nothing = new Snapshot(1, layout);
        nothing.resize(1);
        target = nothing;
        reserve = new SlotReserve(SlotTable.MAX_SLOTS, firstGeneration);
        slots = new SlotTable(preallocatedBodies, reserve);
        reserved = new ReservedSlots(slots, reserve);
        written = new SlotSet(preallocatedBodies);
        shifted = new SlotSet(preallocatedBodies);
        blocks = new ChangedBlocks(nothing);
        selectedPoses = nothing.poses().block(0);
        selectedMotion = nothing.motion(0);
        tangents = new Tangents(layout, dtSeconds, preallocatedBodies);
    }

    void begin(Snapshot snapshot, @Nullable Snapshot latest) {
        target = snapshot;
        previous = latest;
        spawned = 0;
        spawnedWithoutPose = 0;
        posesWritten = 0;
        selected = -1;
        counted = Integer.MAX_VALUE;
        originShifted = false;
        reserved.exchange();
        if (latest != null) {
            snapshot.origin(latest.originX(), latest.originY(), latest.originZ());
        }
        written.begin(slots.slotCount());
        shifted.begin(slots.slotCount());
        blocks.begin(snapshot, latest);
        resize();
    }

    void release() {
        target = nothing;
        previous = null;
        blocks.begin(nothing, null);
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

    /** Removes the bodies that were not counted in the end. */
    void removeUncounted() {
        while (slots.slotCount() > counted) {
            despawn(slots.slotCount() - 1);
        }
    }

    void finish() {
        reserved.decide();
        resize();
        if (originShifted) {
            keepRestingBodiesInPlace();
        }
        blocks.close();
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (blocks.isOpen(b)) {
                breakSnappingBodies(b);
                cancelReplacedJumps(b);
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

    /** New bodies at once; those that are too many not before the end, for somebody may yet count one more. */
    void count(int bodies) {
        while (slots.liveCount() < bodies) {
            spawn(0);
        }
        counted = bodies;
    }

    int counted() {
        return counted;
    }

    /** From now on bodies are spawned one by one. */
    void stopCounting() {
        removeUncounted();
        counted = Integer.MAX_VALUE;
    }

    int spawn(long userData) {
        reserved.decide();
        int slot = slots.take();
        appear(slot, userData);
        return slot;
    }

    void spawnReserved(int slot, long userData) {
        reserved.decide();
        slots.spawn(slot);
        appear(slot, userData);
    }

    /** The snapshot shows the new body of a slot. */
    private void appear(int slot, long userData) {
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
        slots.release(slot);
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

    /** The poses from one slot on, all in one block, are about to be written. */
    void open(int slot, int count) {
        int b = slot >>> PoseBlock.SHIFT;
        if (count == target.poses().slotsIn(b)) {
            blocks.openForAll(b);
        } else {
            blocks.open(b);
        }
    }

    /** Writes a pose into a block that is open. */
    void write(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        select(b);
        PoseBlock block = selectedPoses;
        block.px[index] = x;
        block.py[index] = y;
        block.pz[index] = z;
        PoseBlock before = spawned > 0 && isSpawnedNow(slot) ? null : selectedBefore;
        Rotations.write(block, selectedMotion, before, index, rx, ry, rz, rw);
        markWritten(slot);
        if (!slots.quarantined.isEmpty() && slots.quarantined.get(slot)) {
            slots.quarantined.clear(slot);
            blocks.openBodies(b).quarantined[index] = false;
        }
    }

    /** Most poses come in the order of their slots: what belongs to a block is looked up once. */
    private void select(int b) {
        if (b != selected) {
            selected = b;
            selectedPoses = target.poses().block(b);
            selectedMotion = target.motion(b);
            selectedBefore = blocks.posesBefore(b);
        }
    }

    /** Whether a pose can be written. */
    boolean isUnwritten(int slot) {
        return slots.isLive(slot) && slot < counted && !written.contains(slot);
    }

    /** Whether every body was there in the tick before, with a good pose, so that many can be written at once. */
    boolean canWriteAll() {
        return spawned == 0 && slots.quarantined.isEmpty();
    }

    /** Writes bodies in consecutive slots of one block, from the arrays' body {@code at} on. */
    void writeAll(int slot, int count, int at, float[] positions, float[] rotations) {
        int b = slot >>> PoseBlock.SHIFT;
        PoseBlock before = Objects.requireNonNull(blocks.posesBefore(b)); // nothing was spawned: all was there
        BulkPoses.write(
                target.poses().block(b),
                target.motion(b),
                before,
                slot & PoseBlock.MASK,
                count,
                at,
                positions,
                rotations);
        written.addAll(slot, count);
        posesWritten += count;
    }

    void quarantine(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        PoseBlock lastGood = before(slot);
        if (lastGood == null) {
            target.poses().block(b).set(index, 0, 0, 0, 0, 0, 0, 1);
        } else {
            target.poses()
                    .block(b)
                    .set(
                            index,
                            lastGood.px[index] + originShiftX(),
                            lastGood.py[index] + originShiftY(),
                            lastGood.pz[index] + originShiftZ(),
                            lastGood.qx[index],
                            lastGood.qy[index],
                            lastGood.qz[index],
                            lastGood.qw[index]);
        }
        markWritten(slot);
        countQuarantined();
        if (!slots.quarantined.get(slot)) {
            slots.quarantined.set(slot);
            blocks.openBodies(b).quarantined[index] = true;
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
        count(quarantinedPoses, 1);
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
        // A spawn opens the block: in any other there is none, whatever an earlier tick left in it.
        return bodies.changedTick() == target.tick() && bodies.sinceTick[slot & PoseBlock.MASK] == target.tick();
    }

    private void breakSnappingBodies(int b) {
        int first = b << PoseBlock.SHIFT;
        int end = first + PoseBlock.CAPACITY;
        for (int slot = slots.snapping.nextSetBit(first);
                slot >= 0 && slot < end;
                slot = slots.snapping.nextSetBit(slot + 1)) {
            target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
        }
    }

    /** A pose that was replaced by the last good one did not jump, whatever was said of the one it replaces. */
    private void cancelReplacedJumps(int b) {
        int first = b << PoseBlock.SHIFT;
        int end = first + PoseBlock.CAPACITY;
        for (int slot = slots.quarantined.nextSetBit(first);
                slot >= 0 && slot < end;
                slot = slots.quarantined.nextSetBit(slot + 1)) {
            if (shifted.contains(slot) && written.contains(slot)) {
                target.motion(b).breaks().cancel(MotionBreaks.Kind.SHIFTED, slot & PoseBlock.MASK);
            }
        }
    }

    private void keepRestingBodiesInPlace() {
        float dx = originShiftX();
        float dy = originShiftY();
        float dz = originShiftZ();
        PoseBlocks poses = target.poses();
        for (int b = 0; b < poses.blockCount(); b++) {
            blocks.open(b);
            PoseBlock block = poses.block(b);
            for (int i = 0; i < poses.slotsIn(b); i++) {
                if (!written.contains((b << PoseBlock.SHIFT) + i)) {
                    block.px[i] += dx;
                    block.py[i] += dy;
                    block.pz[i] += dz;
                }
            }
        }
    }

    /** What turns a position of the tick before into one of this tick. */
    private float originShiftX() {
        return previous == null ? 0 : (float) (previous.originX() - target.originX());
    }

    private float originShiftY() {
        return previous == null ? 0 : (float) (previous.originY() - target.originY());
    }

    private float originShiftZ() {
        return previous == null ? 0 : (float) (previous.originZ() - target.originZ());
    }

    /** The snapshot has as many slots as the world, and whatever is indexed by slot has room. */
    private void resize() {
        int count = slots.slotCount();
        if (count != target.poses().slotCount()) {
            int added = target.resize(count);
            if (added > 0) {
                count(grownBlocks, added);
            }
            written.grow(count);
            shifted.grow(count);
        }
        tangents.grow(count);
    }

    private static void count(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }
}
