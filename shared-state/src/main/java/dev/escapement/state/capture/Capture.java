package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Captures the poses of a source into one snapshot per tick. Each snapshot continues the one before.
 *
 * <pre>
 *   begin     frees the slots of released ids, so that threads can reserve them
 *   source    spawns, despawns and teleports bodies, stores poses; copies changed blocks from the tick before
 *   finish    checks the unchecked poses
 *             moves resting bodies to the tick's origin
 *             after a seek, breaks the motion of moved bodies; else shows outliers to visitors
 *             copies unchanged blocks from the tick before
 *             adds the motion breaks of bodies that are never blended
 * </pre>
 *
 * <p>One thread, except {@link #reserve()}, {@link #requireUncounted()}, {@link #release} and {@link #quarantinedPoses()}. Allocates only
 * when the world outgrows the preallocated bodies, or a block gets its first child or its first body whose centre of mass is not its
 * position.
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

    /** Shadow snapshots, that is, those that readers never get, have tick numbers below this one. */
    static final long SHADOW_TICKS = Long.MIN_VALUE / 2;

    /** {@link MotionBlock#turn} of a quarter turn, whose half has this cosine. */
    private static final float QUARTER_TURN = (float) Math.sqrt(0.5) - 1;

    private final PoseLayout layout;
    private final Source source;
    private final BodySlots slots;
    private final ChangedBlocks blocks;
    private final WrittenPoses writtenPoses;
    private final CorrectedMotion correctedMotion;
    private final WritingThread thread = new WritingThread();
    private final PoseWriter poses;

    private WritableSnapshot target;

    private int slotRoom;

    private @Nullable Snapshot previous;

    private final List<PoseWriter.OutlierVisitor> outlierVisitors = new ArrayList<>();

    private float outlierMetres;

    /** Scratch: squared displacement per body of the current block; allocated on first use. */
    private float[] squaredMoves = {};

    private boolean originShifted;
    private boolean bodiesChanged;

    /** True after a seek, until a finished tick has broken the motion of all bodies that moved. */
    private boolean breaksMotion;

    private boolean hasFailed;

    /** The shadow snapshots of re-simulated ticks: written, never published. The last written one is at 0. */
    private final WritableSnapshot[] shadows = new WritableSnapshot[2];

    private boolean isShadow;

    /**
     * The tick number of the last shadow snapshot. Each number is one lower than the last, because two states of a block with the same tick
     * number would count as equal.
     */
    private long shadowTick = SHADOW_TICKS;

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
        this.layout = layout;
        slots = new BodySlots(preallocatedBodies, BodySlots.MAX_SLOTS, firstGeneration);
        target = new WritableSnapshot(0, layout);
        blocks = new ChangedBlocks(target);
        writtenPoses = new WrittenPoses(slots, blocks, rate.dtSeconds(), target);
        correctedMotion = new CorrectedMotion(preallocatedBodies);
        slotRoom = preallocatedBodies;
        poses = new PoseWriter(layout, slots, this, writtenPoses, thread);
    }

    /**
     * Captures a restored state or a re-simulated tick into a shadow snapshot, which is never published. The next capture continues from
     * it. The next published capture stores, for each body whose motion continues, the difference between its published pose and its pose
     * in the shadow snapshot as a motion break, which lets pictures fade it.
     *
     * @param published the last published snapshot
     * @return the bodies of the tick, valid until the capture after the next
     * @throws Exception as from {@link #captureInto}
     */
    public Snapshot captureShadow(Snapshot published) throws Exception {
        Snapshot before = isShadow ? shadows[0] : published;
        WritableSnapshot shadow = shadows[1] == null ? new WritableSnapshot(slotRoom, layout) : shadows[1];
        shadows[1] = shadows[0];
        shadows[0] = shadow;
        shadow.startTick(--shadowTick, 0);
        write(shadow, before, published);
        isShadow = true;
        return shadow;
    }

    /**
     * {@return the snapshot that the next capture continues: the last shadow snapshot since the published one, or else the published one}
     *
     * @param published the last published snapshot, null if there is none
     */
    public @Nullable Snapshot before(@Nullable Snapshot published) {
        return isShadow ? shadows[0] : published;
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
        write(snapshot, before(published), published);
        isShadow = false;
    }

    private void write(WritableSnapshot snapshot, @Nullable Snapshot before, @Nullable Snapshot published)
            throws Exception {
        if (hasFailed) {
            throw new IllegalStateException("tick " + snapshot.tick()
                    + " cannot be captured, because the capture of an earlier one failed half way");
        }
        hasFailed = true;
        begin(snapshot, before, published);
        thread.begin();
        try {
            source.capture(poses);
            thread.requireAlone(tick());
            finish();
            hasFailed = false;
        } finally {
            thread.end();
        }
    }

    /**
     * Begins a snapshot that continues {@code before}. After a re-simulation, {@code before} is the last shadow snapshot, not the published
     * one.
     */
    private void begin(WritableSnapshot snapshot, @Nullable Snapshot before, @Nullable Snapshot published) {
        target = snapshot;
        previous = before;
        originShifted = false;
        bodiesChanged = false;
        slots.offerFree();
        if (before != null) {
            snapshot.origin(before.originX(), before.originY(), before.originZ());
        }
        outlierVisitors.clear();
        outlierMetres = Float.POSITIVE_INFINITY;
        blocks.startTick(snapshot, before);
        resize();
        correctedMotion.begin(blocks, snapshot, before, published);
        writtenPoses.startTick(snapshot, tick());
    }

    private void finish() {
        removeSurplus();
        resize();
        writtenPoses.finish();
        if (originShifted) {
            keepRestingBodiesInPlace();
        }
        if (breaksMotion) {
            breaksMotion = false;
            breakOpenBlocks();
        } else if (!outlierVisitors.isEmpty() && previous != null) {
            findOutliers(previous);
        }
        blocks.keepUnchanged();
        addStandingBreaks();
        correctedMotion.finish(target, previous);
        slots.releaseHeld();
    }

    /** Converts to the new origin all poses that the source did not write in this tick. */
    private void keepRestingBodiesInPlace() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            blocks.open(b);
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                if (!writtenPoses.contains((b << PoseBlock.SHIFT) + i)) {
                    blocks.moveToOrigin(target.poses().block(b), i);
                }
            }
        }
    }

    private void breakOpenBlocks() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock before = blocks.posesBefore(b);
            if (before == null || !blocks.isOpen(b)) {
                continue;
            }
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) + i;
                if (writtenPoses.contains(slot)
                        && !blocks.isSpawnedNow(slot)
                        && (originShifted || !target.poses().block(b).hasSamePose(i, before))) {
                    teleport(slot);
                }
            }
        }
    }

    private void findOutliers(Snapshot before) {
        thread.complete();
        float shiftX = (float) (target.originX() - before.originX());
        float shiftY = (float) (target.originY() - before.originY());
        float shiftZ = (float) (target.originZ() - before.originZ());
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock then = blocks.posesBefore(b);
            if (then == null || !blocks.isOpen(b)) {
                continue;
            }
            PoseBlock now = target.poses().block(b);
            MotionBlock motion = target.motion(b);
            boolean anyTurns = motion.leastTurn() < QUARTER_TURN;
            int count = blocks.slotsInBoth(b, before);
            Arrays.fill(squaredMoves, 0, count, 0);
            addSquares(now.px, then.px, shiftX, squaredMoves, count);
            addSquares(now.py, then.py, shiftY, squaredMoves, count);
            addSquares(now.pz, then.pz, shiftZ, squaredMoves, count);
            for (int i = 0; i < count; i++) {
                boolean turns =
                        anyTurns && motion.turn[i] < QUARTER_TURN && !writtenPoses.spins((b << PoseBlock.SHIFT) + i);
                if ((turns || squaredMoves[i] > outlierMetres * outlierMetres) && isContinued(b, i, before)) {
                    for (int v = 0; v < outlierVisitors.size(); v++) { // an iterator would be an allocation
                        outlierVisitors
                                .get(v)
                                .moved(
                                        (b << PoseBlock.SHIFT) + i,
                                        now.px[i] - then.px[i] + shiftX,
                                        now.py[i] - then.py[i] + shiftY,
                                        now.pz[i] - then.pz[i] + shiftZ,
                                        rounding(now, then, i),
                                        turns ? motion.turn[i] : 0);
                    }
                }
            }
        }
    }

    /**
     * Bounds the error of the distance between two positions, metres. Rounding to {@code float} moves each coordinate by at most half the
     * step between neighbouring floats.
     */
    private static float rounding(PoseBlock now, PoseBlock then, int i) {
        float x = Math.max(Math.abs(now.px[i]), Math.abs(then.px[i]));
        float y = Math.max(Math.abs(now.py[i]), Math.abs(then.py[i]));
        float z = Math.max(Math.abs(now.pz[i]), Math.abs(then.pz[i]));
        // Both positions together: at most one step along each axis, so at most sqrt(3) steps of distance.
        return 2 * Math.ulp(Math.max(x, Math.max(y, z)));
    }

    /** Adds the squared displacements along one axis to {@code squared}. C2 makes vector code of this loop, see {@link PosePasses}. */
    private static void addSquares(float[] now, float[] before, float shift, float[] squared, int n) {
        for (int i = 0; i < n; i++) {
            float moved = now[i] - before[i] + shift;
            squared[i] = squared[i] + moved * moved;
        }
    }

    /** Returns whether a body existed in the tick before, and did not teleport in this one. */
    private boolean isContinued(int b, int i, Snapshot before) {
        int slot = (b << PoseBlock.SHIFT) + i;
        boolean isTeleported =
                blocks.areBodiesOpen(b) && target.bodyBlock(b).teleports[i] != before.bodyBlock(b).teleports[i];
        return slots.isLive(slot) && !blocks.isSpawnedNow(slot) && !isTeleported;
    }

    private void addStandingBreaks() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (blocks.isOpen(b)) {
                addStandingBreaks(b);
            }
        }
    }

    /** Breaks the motion of bodies that readers do not blend, and cancels each {@link #teleportBy} of a quarantined body. */
    private void addStandingBreaks(int b) {
        MotionBreaks breaks = target.motion(b).breaks();
        int first = b << PoseBlock.SHIFT;
        int end = first + PoseBlock.CAPACITY;
        BitSet snapping = slots.snapping;
        for (int slot = snapping.nextSetBit(first); slot >= 0 && slot < end; slot = snapping.nextSetBit(slot + 1)) {
            breaks.add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
        }
        // A quarantined body shows its last good pose, so it did not move, even if the simulation teleported it.
        BitSet replaced = slots.quarantined;
        for (int slot = replaced.nextSetBit(first); slot >= 0 && slot < end; slot = replaced.nextSetBit(slot + 1)) {
            if (writtenPoses.contains(slot)) {
                breaks.cancelShift(slot & PoseBlock.MASK);
            }
        }
    }

    private void resize() {
        slotRoom = Math.max(slotRoom, slots.slotCount());
        target.reserve(slotRoom);
        target.resize(slots.slotCount());
        writtenPoses.grow(target.poses());
    }

    /** The tick in the numbers of published snapshots, even while the target is a shadow snapshot with another number. */
    long tick() {
        return correctedMotion.readersTick();
    }

    Snapshot target() {
        return target;
    }

    void origin(double x, double y, double z) {
        target.origin(x, y, z);
        Snapshot before = previous;
        originShifted = before != null && (before.originX() != x || before.originY() != y || before.originZ() != z);
    }

    /** Spawns missing bodies now. The end of the capture despawns surplus bodies, because a later count in the same tick may keep them. */
    void countBodies(int bodies) {
        slots.beginCounting();
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
        bodiesChanged = true;
        blocks.open(b);
        for (float[] channel : target.poses().block(b).channels) {
            channel[index] = 0;
        }
        blocks.openBodies(b).spawn(index, slots.generation(slot), target.tick(), userData);
        writtenPoses.spawned(slot);
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
    }

    void despawn(int slot) {
        writtenPoses.unselect();
        int b = slot >>> PoseBlock.SHIFT;
        int index = slot & PoseBlock.MASK;
        bodiesChanged = true;
        blocks.open(b);
        writtenPoses.despawning(slot);
        slots.despawn(slot);
        blocks.openBodies(b).despawn(index, slots.generation(slot), target.tick());
        target.motion(b).breaks().add(MotionBreaks.Kind.BROKEN, index, 0, 0, 0);
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
            int b = slot >>> PoseBlock.SHIFT;
            blocks.open(b);
            blocks.openBodies(b).parent(slot & PoseBlock.MASK, parent);
        }
    }

    void centreOfMass(int slot, float x, float y, float z) {
        int b = slot >>> PoseBlock.SHIFT;
        int i = slot & PoseBlock.MASK;
        BodyBlock bodies = blocks.bodies(b);
        if (bodies.centreOfMass(i, 0) != x || bodies.centreOfMass(i, 1) != y || bodies.centreOfMass(i, 2) != z) {
            blocks.openBodies(b).centreOfMass(i, x, y, z);
        }
    }

    void teleport(int slot) {
        countTeleport(slot).add(MotionBreaks.Kind.BROKEN, slot & PoseBlock.MASK, 0, 0, 0);
    }

    void teleportBy(int slot, float dx, float dy, float dz) {
        countTeleport(slot).shift(slot & PoseBlock.MASK, dx, dy, dz);
    }

    private MotionBreaks countTeleport(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.open(b);
        blocks.openBodies(b).teleports[slot & PoseBlock.MASK]++;
        correctedMotion.teleported(slot);
        return target.motion(b).breaks();
    }

    void findOutliers(float metres, PoseWriter.OutlierVisitor visitor) {
        outlierMetres = Math.min(outlierMetres, metres);
        outlierVisitors.add(visitor);
        if (squaredMoves.length == 0) {
            squaredMoves = new float[PoseBlock.CAPACITY];
        }
    }

    void channel(int slot, int channel, float value) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.open(b);
        target.poses().block(b).channels[channel][slot & PoseBlock.MASK] = value;
    }

    /** Teleports each body whose pose the next capture changes. Call it when the run seeks. */
    public void breakMotion() {
        breaksMotion = true;
    }

    /** {@return whether the last capture spawned or despawned bodies} */
    public boolean bodiesChanged() {
        return bodiesChanged;
    }

    /** {@return the number of quarantined poses and channel values since the start} See {@link PoseWriter#set}. Any thread. */
    public long quarantinedPoses() {
        return writtenPoses.quarantinedPoses.getOpaque();
    }

    /**
     * Describes the first quarantined value, for a message.
     *
     * @param of the snapshot of the value's tick, or of a later tick
     * @return the kind of the value, its body with slot and user data, and the tick
     */
    public String firstQuarantined(Snapshot of) {
        return writtenPoses.firstQuarantined(of);
    }

    /**
     * Reserves the id of a future body, for {@link PoseWriter#spawn(long, long)}. Any thread; lock-free, and allocates nothing.
     *
     * <p>If the first capture shows that the simulation counts its bodies, it takes back the ids that were reserved before.
     *
     * @return an id that no other call gets, and that no body has or had, unless {@link PoseWriter#despawnAs} has undone that body
     * @throws IllegalStateException if the simulation has counted its bodies, or if there are too many
     */
    public long reserve() {
        return slots.reserve();
    }

    /**
     * Throws if the simulation counts its bodies: then no body has a reserved id. Any thread; meaningful after the first capture.
     *
     * @throws IllegalStateException if the simulation has counted its bodies
     */
    public void requireUncounted() {
        slots.requireUncounted();
    }

    /**
     * Releases a reserved id. No body ever has the id; the next capture or {@link #freeReleased()} frees its slot for another body. Any
     * thread.
     *
     * @param id the result of {@link #reserve()}; ignored after its spawn or release
     */
    public void release(long id) {
        slots.release(id);
    }

    /**
     * Frees the slots of released ids, so that threads can reserve them again. Each capture does this. Call it in a long time without
     * captures, for example a pause; else every reservation takes a new slot.
     */
    public void freeReleased() {
        slots.offerFree();
    }

    /**
     * Holds free slots for the bodies of a restored state: until the next capture ends, threads reserve only never used slots.
     *
     * @return the number of used slots that threads have reserved already; if it is above 0, no slots are held
     */
    public int holdSlots() {
        return slots.hold();
    }

    /**
     * Undoes {@link #holdSlots} if no state is restored after all: threads can reserve the slots after {@link #freeReleased()} or a
     * capture.
     */
    public void releaseSlots() {
        slots.releaseHeld();
    }
}
