package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Captures the poses of a source into one snapshot per tick. Each snapshot continues the one before.
 *
 * <pre>
 *   source    spawns, despawns and teleports bodies, stores poses; copies changed blocks from the tick before
 *   finish    checks the unchecked poses
 *             moves resting bodies to the tick's origin
 *             finds moved bodies, if visitors or the run asked for them
 *             copies unchanged blocks from the tick before
 *             adds the motion breaks of bodies that are never blended
 * </pre>
 *
 * <p>One thread, except {@link #reservations()} and {@link #quarantinedPoses()}.
 *
 * <p>Once a world is warm, a capture allocates nothing. It allocates for growth: more bodies than were preallocated, more motion breaks in
 * a block than ever before, the first child, reshaped body or offset centre of mass of a block, the first quarantined value. And it
 * allocates on first use: for the check of a whole block, for outliers, and for each slot that threads may reserve.
 *
 * @see PoseWriter
 */
public final class Capture {

    /** A source of poses, usually a simulation. */
    @FunctionalInterface
    public interface Source {

        /**
         * Writes the poses of a tick.
         *
         * @param poses takes the poses, valid during this call
         * @throws Exception if the source cannot write them
         */
        void capture(PoseWriter poses) throws Exception;
    }

    private final Source source;
    private final BodySlots slots;
    private final DirtyBlocks blocks;
    private final WrittenPoses writtenPoses;
    private final PoseWriter poses;

    private WritableSnapshot target;

    private int slotRoom;

    /** Null in a run that never asked for them. */
    private @Nullable MovedBodies movedBodies;

    /** True during a capture, and after one that threw. */
    private boolean isUnfinished;

    /** Null in a run that never repeats a tick. */
    private @Nullable Resimulation resimulation;

    /**
     * Creates a capture of an empty world.
     *
     * @param source             source of the poses
     * @param layout             channels of a pose besides position and rotation
     * @param rate               the rate of the ticks
     * @param preallocatedBodies number of bodies for which a capture allocates nothing
     */
    public Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies) {
        this(source, layout, rate, preallocatedBodies, 0);
    }

    /** Lets tests begin shortly before generation numbers overflow: unused slots have {@code firstGeneration}, an even number. */
    Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies, int firstGeneration) {
        this.source = source;
        slots = new BodySlots(preallocatedBodies, BodySlots.MAX_SLOTS, firstGeneration);
        target = new WritableSnapshot(0, layout);
        blocks = new DirtyBlocks(target);
        writtenPoses = new WrittenPoses(slots, blocks, rate.dtSeconds(), target);
        slotRoom = preallocatedBodies;
        poses = new PoseWriter(layout, slots, this, writtenPoses);
    }

    /**
     * {@return the captures of re-simulated ticks} If the run may re-simulate ticks, call this before its first tick: of the ticks before
     * the first call, no teleport is known.
     */
    public Resimulation resimulation() {
        Resimulation known = resimulation == null ? new Resimulation(this, blocks, slotRoom) : resimulation;
        resimulation = known;
        return known;
    }

    /**
     * Writes a snapshot.
     *
     * @param snapshot  the snapshot, with its tick already set
     * @param published the snapshot of the tick before, null for the first
     * @throws IllegalStateException if an earlier capture threw, because no capture can continue an unfinished snapshot; if another thread
     *                               tried to write poses, with the exception of that thread as the cause
     * @throws Exception             from the source
     */
    public void captureInto(WritableSnapshot snapshot, @Nullable Snapshot published) throws Exception {
        if (resimulation == null) {
            startTick(snapshot, published);
            write();
        } else {
            resimulation.captureInto(snapshot, published);
        }
    }

    /** Starts a snapshot that continues {@code before}. */
    void startTick(WritableSnapshot snapshot, @Nullable Snapshot before) {
        if (isUnfinished) {
            throw new IllegalStateException("tick " + snapshot.tick()
                    + " cannot be captured, because the capture of an earlier one failed half way");
        }
        isUnfinished = true;
        target = snapshot;
        slots.startTick();
        if (before != null) {
            snapshot.origin(before.originX(), before.originY(), before.originZ());
        }
        blocks.startTick(snapshot, before);
        resize();
        writtenPoses.startTick(snapshot);
    }

    /** Lets the source write the snapshot that was started, and finishes it. */
    void write() throws Exception {
        poses.open();
        try {
            source.capture(poses);
            poses.requireAlone(target.tick());
            finish();
            isUnfinished = false;
        } finally {
            poses.close();
        }
    }

    private void finish() {
        removeSurplus();
        resize();
        writtenPoses.finish();
        if (blocks.hasOtherOrigin()) {
            moveRestingBodies();
        }
        if (movedBodies != null) {
            poses.complete();
            movedBodies.find(target);
        }
        blocks.keepUnchanged();
        addStandingBreaks();
    }

    /** Converts to the new origin all poses that the source did not write in this tick. */
    private void moveRestingBodies() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            blocks.makeDirty(b);
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                if (!writtenPoses.contains((b << PoseBlock.SHIFT) + i)) {
                    blocks.moveToOrigin(target.poses().block(b), i);
                }
            }
        }
    }

    /** Breaks the motion of bodies that readers do not blend, and cancels each {@link #teleportBy} of a quarantined body. */
    private void addStandingBreaks() {
        BitSet snapping = slots.snapping;
        for (int slot = snapping.nextSetBit(0); slot >= 0; slot = snapping.nextSetBit(slot + 1)) {
            if (blocks.isDirty(slot >>> PoseBlock.SHIFT)) {
                breakMotion(slot);
            }
        }
        // A quarantined body shows its last good pose, so it did not move, even if the simulation teleported it.
        BitSet replaced = slots.quarantined;
        for (int slot = replaced.nextSetBit(0); slot >= 0; slot = replaced.nextSetBit(slot + 1)) {
            if (writtenPoses.contains(slot)) {
                target.motion(slot >>> PoseBlock.SHIFT).breaks().cancelShift(slot & PoseBlock.MASK);
            }
        }
    }

    private void resize() {
        slotRoom = Math.max(slotRoom, slots.slotCount());
        target.ensureRoom(slotRoom);
        target.resize(slots.slotCount());
        writtenPoses.grow(target.poses().blockCount());
    }

    WritableSnapshot target() {
        return target;
    }

    /** Spawns missing bodies now. The end of the capture despawns surplus bodies, because a later count in the same tick may keep them. */
    void countBodies(int bodies) {
        slots.countFromZero();
        slotRoom = Math.max(slotRoom, bodies);
        while (slots.liveCount() < bodies) {
            addBody(slots.spawn(), 0);
        }
        slots.keepFirst(bodies);
        writtenPoses.unselect();
    }

    void removeSurplus() {
        while (slots.slotCount() > slots.stayingSlots()) {
            despawn(slots.slotCount() - 1);
        }
        slots.keepFirst(Integer.MAX_VALUE);
    }

    void addBody(int slot, long userData) {
        writtenPoses.unselect();
        resize();
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        BodyBlock bodies = blocks.makeAllDirty(slot);
        slots.changed.set(slot);
        for (float[] channel : target.poses().block(b).channels) {
            channel[index] = 0;
        }
        bodies.spawn(index, slots.generation(slot), target.tick(), userData);
        writtenPoses.spawned(slot);
        breakMotion(slot);
    }

    void despawn(int slot) {
        writtenPoses.unselect();
        BodyBlock bodies = blocks.makeAllDirty(slot);
        slots.changed.set(slot);
        writtenPoses.despawning(slot);
        slots.despawn(slot);
        bodies.despawn(slot & PoseBlock.MASK, slots.generation(slot), target.tick());
        breakMotion(slot);
    }

    private void breakMotion(int slot) {
        target.motion(slot >>> PoseBlock.SHIFT).breaks().add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
    }

    void parent(int slot, long parent) {
        for (int above = slots.find(parent); above >= 0; above = slots.find(blocks.parentOf(above))) {
            if (above == slot) {
                throw new IllegalArgumentException("body " + BodyId.toString(slots.id(slot))
                        + " cannot be parented to body " + BodyId.toString(parent)
                        + ", which is the same or its descendant; remove that parent first");
            }
        }
        if (blocks.parentOf(slot) != parent) {
            blocks.makeAllDirty(slot).parent(slot & PoseBlock.MASK, parent);
        }
    }

    void centreOfMass(int slot, float x, float y, float z) {
        int b = slot >>> PoseBlock.SHIFT;
        int i = slot & PoseBlock.MASK;
        BodyBlock bodies = blocks.bodies(b);
        if (bodies.centreOfMass(i, 0) != x || bodies.centreOfMass(i, 1) != y || bodies.centreOfMass(i, 2) != z) {
            blocks.makeBodiesDirty(b).centreOfMass(i, x, y, z);
        }
    }

    void reshape(int slot) {
        if (!slots.changed.get(slot)) {
            blocks.makeBodiesDirty(slot >>> PoseBlock.SHIFT).reshape(slot & PoseBlock.MASK, target.tick());
        }
    }

    void teleport(int slot) {
        countTeleport(slot);
        breakMotion(slot);
    }

    void teleportBy(int slot, float dx, float dy, float dz) {
        countTeleport(slot);
        target.motion(slot >>> PoseBlock.SHIFT).breaks().shift(slot & PoseBlock.MASK, dx, dy, dz);
    }

    private void countTeleport(int slot) {
        blocks.makeAllDirty(slot).teleports[slot & PoseBlock.MASK]++;
        if (resimulation != null) {
            resimulation.teleported(slot);
        }
    }

    MovedBodies movedBodies() {
        MovedBodies known = movedBodies == null ? new MovedBodies(this, slots, blocks, writtenPoses) : movedBodies;
        movedBodies = known;
        return known;
    }

    void channel(int slot, int channel, float value) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.makeDirty(b);
        target.poses().block(b).channels[channel][slot & PoseBlock.MASK] = value;
    }

    /** Teleports each body whose pose the next capture changes. Call it when the run seeks. */
    public void breakMotion() {
        movedBodies().breakMotion();
    }

    /** {@return whether the last capture spawned or despawned bodies} */
    public boolean bodiesChanged() {
        return !slots.changed.isEmpty();
    }

    /**
     * {@return the number of quarantined poses, values of channels and angular velocities since the start} See {@link PoseWriter#set}. Any
     * thread.
     */
    public long quarantinedPoses() {
        return writtenPoses.quarantinedPoses.getOpaque();
    }

    /**
     * {@return a description of the first quarantined value, for a message: its kind, its body with user data, and the tick} Empty if there
     * is none.
     */
    public String firstQuarantined() {
        return writtenPoses.firstQuarantined;
    }

    /** {@return the ids that threads reserve for future bodies} Any thread. */
    public Reservations reservations() {
        return slots.reservations;
    }
}
