package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.BitSet;
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

    private final WrittenPoses written;

    /** Slots of bodies that jumped in addition to their motion in this tick. */
    private final BitSet shifted;

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong grownBlocks = new AtomicLong();

    private final double dtSeconds;
    private final WritableSnapshot emptySnapshot;
    private final ChangedBlocks blocks;
    private final Tangents tangents;
    private WritableSnapshot target;
    private @Nullable Snapshot previous;
    private final CorrectedMotion corrected;
    private boolean originShifted;
    private boolean bodiesChanged;

    /** Whether this tick, or the next one, does not continue the motion of the tick before. */
    private boolean breaksMotion;

    /** Whether {@link #fillAll} has begun and not ended. */
    private boolean filling;

    // The block that was selected last, -1 if none or if the number of bodies changed since.
    private int selected;
    private PoseBlock selectedPoses;
    private byte[] selectedMissing = {};
    private int selectedEnd;
    private boolean selectedIsChecked;

    SnapshotBuilder(PoseLayout layout, double dtSeconds, int preallocatedBodies, BodySlots slots) {
        this.layout = layout;
        this.slots = slots;
        this.dtSeconds = dtSeconds;
        emptySnapshot = new WritableSnapshot(1, layout);
        emptySnapshot.resize(1);
        target = emptySnapshot;
        shifted = new BitSet(preallocatedBodies);
        corrected = new CorrectedMotion(preallocatedBodies);
        blocks = new ChangedBlocks(emptySnapshot);
        written = new WrittenPoses(slots, blocks, emptySnapshot);
        selectedPoses = emptySnapshot.poses().block(0);
        tangents = new Tangents(dtSeconds);
    }

    /** Starts to build a snapshot that follows the latest one. Readers know another one, if ticks ran again since. */
    void startTick(WritableSnapshot snapshot, @Nullable Snapshot latest, @Nullable Snapshot shown) {
        target = snapshot;
        previous = latest;
        selected = -1;
        originShifted = false;
        bodiesChanged = false;
        filling = false;
        slots.keepFirst(Integer.MAX_VALUE);
        slots.refillReserve();
        if (latest != null) {
            snapshot.origin(latest.originX(), latest.originY(), latest.originZ());
        }
        written.startTick(snapshot);
        shifted.clear();
        blocks.startTick(snapshot, latest);
        resize();
        corrected.begin(blocks, snapshot, latest, shown);
    }

    void release() {
        target = emptySnapshot;
        previous = null;
        blocks.startTick(emptySnapshot, null);
    }

    /** The tick, as readers count. */
    long tick() {
        return corrected.tick();
    }

    WrittenPoses written() {
        return written;
    }

    void finish() {
        if (filling) {
            throw new IllegalStateException("tick " + tick() + " is not complete: writing all poses in place threw");
        }
        slots.keepReservations();
        resize();
        written.checkRest();
        if (originShifted) {
            keepRestingBodiesInPlace();
        }
        if (breaksMotion) {
            breaksMotion = false;
            breakOpenBlocks();
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
        corrected.finish();
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
        unselect();
    }

    /** Despawns the bodies beyond the last count. From now on bodies are spawned one by one. */
    void removeUncounted() {
        while (slots.hasUncounted()) {
            despawn(slots.slotCount() - 1);
        }
        slots.keepFirst(Integer.MAX_VALUE);
        unselect();
    }

    /** Adds the new body of a slot to the snapshot. */
    void addBody(int slot, long userData) {
        unselect();
        resize();
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        bodiesChanged = true;
        blocks.open(b);
        for (float[] channel : target.poses().block(b).channels) {
            channel[index] = 0;
        }
        blocks.openBodies(b).spawn(index, slots.generation(slot), target.tick(), userData);
        written.spawned(slot);
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
        target.motion(b).clear(index);
    }

    void despawn(int slot) {
        unselect();
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        bodiesChanged = true;
        blocks.open(b);
        written.despawning(slot);
        slots.despawn(slot);
        blocks.openBodies(b).despawn(index, slots.generation(slot), target.tick());
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
        shifted.clear(slot);
    }

    void jump(int slot, MotionBreaks.Kind kind, float dx, float dy, float dz) {
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        blocks.open(b);
        blocks.openBodies(b).teleports[index]++;
        corrected.jumped(slot);
        if (kind == MotionBreaks.Kind.SHIFTED && shifted.get(slot)) {
            target.motion(b).breaks().addTo(kind, index, dx, dy, dz);
        } else {
            target.motion(b).breaks().add(kind, index, dx, dy, dz);
        }
        if (kind == MotionBreaks.Kind.SHIFTED) {
            shifted.set(slot);
        }
    }

    /**
     * Stores a pose, which is checked later.
     *
     * @return false if the slot has no body without a pose
     */
    boolean setPose(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        if (slot >>> PoseBlock.SHIFT != selected) { // poses mostly come in slot order
            if (!slots.isCounted(slot)) {
                return false;
            }
            selectBlock(slot, 1);
        }
        int index = slot & PoseBlock.MASK;
        if (selectedMissing[index] == 0 || slot >= selectedEnd) {
            return false;
        }
        selectedMissing[index] = 0;
        selectedPoses.set(index, x, y, z, rx, ry, rz, rw);
        if (selectedIsChecked) {
            written.checkOne(slot);
        }
        return true;
    }

    /** Ends the selection of a block, and checks the block if it is complete. */
    private void unselect() {
        if (selected >= 0) {
            written.checkIfComplete(selected);
            selected = -1;
        }
    }

    /** Selects the block of the next {@code count} poses from a slot on. */
    private void selectBlock(int slot, int count) {
        unselect();
        selected = slot >>> PoseBlock.SHIFT;
        openBlock(selected, count);
        selectedPoses = target.poses().block(selected);
        selectedMissing = written.missing(selected);
        selectedEnd = slots.countedSlots();
        selectedIsChecked = written.begin(selected);
    }

    /** Opens a block of which this many slots will be written. */
    private void openBlock(int b, int count) {
        if (count == target.poses().slotsIn(b)) {
            blocks.openForAll(b);
        } else {
            blocks.open(b);
        }
    }

    /** Whether all of these slots have bodies without a pose in this tick. */
    boolean areMissing(int firstSlot, int count) {
        boolean all = slots.areCounted(firstSlot, count);
        for (int done = 0; all && done < count; done += inBlock(firstSlot + done, count - done)) {
            all = written.areMissing(firstSlot + done, inBlock(firstSlot + done, count - done));
        }
        return all;
    }

    /** Stores poses in consecutive slots, which are checked later. */
    void setPoses(int firstSlot, int count, float[] positions, float[] rotations) {
        for (int done = 0; done < count; ) {
            int slot = firstSlot + done;
            int index = slot & PoseBlock.MASK;
            int n = inBlock(slot, count - done);
            unselect(); // first: its check would take the poses below for stored ones
            written.beginAll(slot, n);
            selectBlock(slot, n);
            BulkPoses.store(selectedPoses, index, n, done, positions, rotations);
            for (int i = 0; selectedIsChecked && i < n; i++) {
                written.checkOne(slot + i);
            }
            done += n;
        }
    }

    /** How many of this many slots are in the block of the first one. */
    private static int inBlock(int slot, int count) {
        return Math.min(count, PoseBlock.CAPACITY - (slot & PoseBlock.MASK));
    }

    /** Lets a simulation fill each block that has bodies in place, and checks it at once. */
    void fillAll(BlockFiller filler) {
        filling = true;
        int bodies = slots.countedSlots();
        for (int first = 0; first < bodies; first += PoseBlock.CAPACITY) {
            int b = first >>> PoseBlock.SHIFT;
            if (written.hasMissing(b)) {
                int count = Math.min(PoseBlock.CAPACITY, bodies - first);
                // What is not filled must not get the content of an earlier tick: empty slots, and bodies beyond the
                // count.
                openBlock(b, slots.hasGaps() ? 0 : count);
                written.beginAll(first, count);
                filler.fill(first, count, target.poses().block(b));
                written.check(b);
            }
        }
        filling = false;
    }

    void angularVelocity(int slot, float wx, float wy, float wz) {
        int b = slot >>> PoseBlock.SHIFT;
        PoseBlock before = written.posesBefore(slot);
        if (before != null && written.isGood(slot)) { // a body that shows its last good pose does not turn
            int index = slot & PoseBlock.MASK;
            Rotations.spin(target.poses().block(b), target.motion(b), before, index, wx, wy, wz, dtSeconds);
        }
    }

    void channel(int slot, int channel, float value) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.open(b);
        target.poses().block(b).channels[channel][slot & PoseBlock.MASK] = value;
    }

    void breakMotion() {
        breaksMotion = true;
    }

    boolean bodiesChanged() {
        return bodiesChanged;
    }

    private void breakOpenBlocks() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock before = blocks.posesBefore(b);
            if (before == null || !blocks.isOpen(b)) {
                continue;
            }
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) + i;
                boolean moved = originShifted || !target.poses().block(b).hasSamePose(i, before);
                if (moved && written.contains(slot) && !blocks.isSpawnedNow(slot)) {
                    jump(slot, MotionBreaks.Kind.BROKEN, 0, 0, 0);
                }
            }
        }
    }

    /** Any thread: see {@link Capture#grownBlocks()}. */
    long grownBlocks() {
        return grownBlocks.getOpaque();
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
            if (shifted.get(slot) && written.contains(slot)) {
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
                    blocks.moveToOrigin(poses.block(b), i);
                }
            }
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
            written.grow(target.poses().blockCount());
        }
        if (layout.hasTangents()) {
            tangents.grow(target.poses().blockCount());
        }
    }
}
