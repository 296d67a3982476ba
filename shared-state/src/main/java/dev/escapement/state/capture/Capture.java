package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Captures the poses of a source into one snapshot per tick, each of which continues the one before.
 *
 * <pre>
 *   begin     frees the slots of released ids, so that threads can reserve them
 *   source    spawns and despawns bodies, stores poses, announces jumps; opens the blocks that this changes
 *   finish    checks the poses that are not checked yet
 *             moves resting bodies to the tick's origin
 *             adds motion breaks
 *             copies unopened blocks from the tick before
 * </pre>
 *
 * <p>One thread, except {@link #reserve()}, {@link #requireReserving()}, {@link #giveBack} and the counters. Allocates nothing unless the
 * world outgrows the preallocated bodies, or a body of a block gets its first parent.
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
         * @param poses the writer that takes the poses, valid during this call
         * @throws Exception if there are none to write
         */
        void capture(PoseWriter poses) throws Exception;
    }

    /** Snapshots of ticks that run again, which readers do not get, have lower tick numbers. */
    static final long SHADOW_TICKS = Long.MIN_VALUE / 2;

    private final PoseLayout layout;
    private final Source source;
    private final FreeIds freeIds;
    private final BodySlots slots;
    private final ChangedBlocks blocks;
    private final WrittenPoses written;
    private final CorrectedMotion corrected;
    private final WritingThread thread = new WritingThread();
    private final PoseWriter poses;

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong grownBlocks = new AtomicLong();

    private WritableSnapshot target;

    /** Room for slots in each snapshot; never shrinks. */
    private int mostSlots;

    /** The snapshot of the tick before, null in the first. */
    private @Nullable Snapshot previous;

    /** Slots of bodies that jumped in addition to their motion in this tick. */
    private final BitSet shifted;

    /** Receivers, in this tick, of bodies that moved farther than {@link #farMetres}. */
    private final List<PoseWriter.FarMoves> farMoves = new ArrayList<>();

    private float farMetres;

    /** Scratch: squared displacement per body of the current block; allocated on first use. */
    private float[] squaredMoves = {};

    private boolean originShifted;
    private boolean bodiesChanged;

    /** Whether the next finished tick does not continue the motion of the tick before it. */
    private boolean breaksMotion;

    private boolean failed;

    /**
     * The shadow snapshots of re-simulated ticks: written, never published. Empty before the first; the last one
     * written is at 0.
     */
    private final WritableSnapshot[] shadows = new WritableSnapshot[2];

    /** Whether the last capture wrote a shadow snapshot. */
    private boolean isShadow;

    /** The tick number of the last shadow snapshot. The numbers fall, so that no two versions of a block are equal. */
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

    /** For tests that begin near the wrap of generations: {@code firstGeneration}, even, is that of slots that had no body. */
    Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies, int firstGeneration) {
        this.source = source;
        this.layout = layout;
        freeIds = new FreeIds(BodySlots.MAX_SLOTS, firstGeneration);
        slots = new BodySlots(preallocatedBodies, freeIds);
        target = new WritableSnapshot(0, layout); // until the first is written
        blocks = new ChangedBlocks(target);
        written = new WrittenPoses(slots, blocks, rate.dtSeconds(), target);
        corrected = new CorrectedMotion(preallocatedBodies);
        shifted = new BitSet(preallocatedBodies);
        mostSlots = preallocatedBodies;
        poses = new PoseWriter(layout, slots, this, written, thread);
    }

    /**
     * Captures a restored state or a re-simulated tick into a shadow snapshot, which is never published. The next capture continues from
     * it, and tells the error of the published pose of each body.
     *
     * @param published the last published snapshot
     * @return the bodies of the tick, valid until the capture after the next
     * @throws Exception as from {@link #captureInto}
     */
    public Snapshot captureShadow(Snapshot published) throws Exception {
        Snapshot before = isShadow ? shadows[0] : published;
        WritableSnapshot shadow = shadows[1] == null ? new WritableSnapshot(mostSlots, layout) : shadows[1];
        shadows[1] = shadows[0];
        shadows[0] = shadow;
        shadow.startTick(--shadowTick, 0);
        write(shadow, before, published);
        isShadow = true;
        return shadow;
    }

    /**
     * {@return what the next capture goes on from}
     *
     * @param published the snapshot that readers got last, null if there is none
     */
    public @Nullable Snapshot before(@Nullable Snapshot published) {
        return isShadow ? shadows[0] : published;
    }

    /**
     * Writes a snapshot.
     *
     * @param snapshot  the snapshot, with its tick already set
     * @param published the snapshot of the tick before, null for the first
     * @throws IllegalStateException if an earlier capture threw, because an unfinished one cannot be continued; if another thread tried to
     *                               write poses, with the exception of that thread as the cause
     * @throws Exception             from the source
     */
    public void captureInto(WritableSnapshot snapshot, @Nullable Snapshot published) throws Exception {
        write(snapshot, before(published), published);
        isShadow = false;
    }

    private void write(WritableSnapshot snapshot, @Nullable Snapshot before, @Nullable Snapshot published)
            throws Exception {
        if (failed) {
            throw new IllegalStateException("tick " + snapshot.tick()
                    + " cannot be captured, because the capture of an earlier one failed half way");
        }
        failed = true;
        begin(snapshot, before, published);
        thread.begin();
        try {
            source.capture(poses);
            thread.requireAlone(tick());
            finish();
            failed = false;
        } finally {
            thread.end();
        }
    }

    /** Begins a snapshot after {@code before}. The last published one differs from it if ticks were re-simulated since. */
    private void begin(WritableSnapshot snapshot, @Nullable Snapshot before, @Nullable Snapshot published) {
        target = snapshot;
        previous = before;
        originShifted = false;
        bodiesChanged = false;
        slots.offerFree();
        if (before != null) {
            snapshot.origin(before.originX(), before.originY(), before.originZ());
        }
        shifted.clear();
        farMoves.clear();
        farMetres = Float.POSITIVE_INFINITY;
        blocks.startTick(snapshot, before);
        resize();
        corrected.begin(blocks, snapshot, before, published);
        written.startTick(snapshot, tick());
    }

    private void finish() {
        removeSurplus();
        slots.keepReservations();
        resize();
        written.finish();
        if (originShifted) {
            keepRestingBodiesInPlace();
        }
        if (breaksMotion) {
            breaksMotion = false;
            breakOpenBlocks();
        } else if (!farMoves.isEmpty() && previous != null) {
            findFarMoves(previous);
        }
        blocks.keepUnchanged();
        addStandingBreaks();
        corrected.finish(target, previous);
        slots.releaseHeld();
    }

    /** Converts the poses of all bodies that were not written, in all blocks, to the new origin. */
    private void keepRestingBodiesInPlace() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            blocks.open(b);
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                if (!written.contains((b << PoseBlock.SHIFT) + i)) {
                    blocks.moveToOrigin(target.poses().block(b), i);
                }
            }
        }
    }

    /** Breaks the motion of each body whose pose differs from the tick before. */
    private void breakOpenBlocks() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock before = blocks.posesBefore(b);
            if (before == null || !blocks.isOpen(b)) {
                continue;
            }
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) + i;
                if (written.contains(slot)
                        && !blocks.isSpawnedNow(slot)
                        && (originShifted || !target.poses().block(b).hasSamePose(i, before))) {
                    jump(slot, MotionBreaks.Kind.BROKEN, 0, 0, 0);
                }
            }
        }
    }

    /** Calls each {@link PoseWriter.FarMoves} for each body that moved farther than {@link #farMetres}. */
    private void findFarMoves(Snapshot before) {
        float shiftX = (float) (target.originX() - before.originX());
        float shiftY = (float) (target.originY() - before.originY());
        float shiftZ = (float) (target.originZ() - before.originZ());
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock then = blocks.posesBefore(b);
            if (then == null || !blocks.isOpen(b)) {
                continue;
            }
            PoseBlock now = target.poses().block(b);
            int count = blocks.slotsInBoth(b, before);
            Arrays.fill(squaredMoves, 0, count, 0);
            addSquares(now.px, then.px, shiftX, squaredMoves, count);
            addSquares(now.py, then.py, shiftY, squaredMoves, count);
            addSquares(now.pz, then.pz, shiftZ, squaredMoves, count);
            for (int i = 0; i < count; i++) {
                if (squaredMoves[i] > farMetres * farMetres && isContinued(b, i, before)) {
                    for (int m = 0; m < farMoves.size(); m++) { // an iterator would be allocated
                        farMoves.get(m)
                                .moved(
                                        (b << PoseBlock.SHIFT) + i,
                                        now.px[i] - then.px[i] + shiftX,
                                        now.py[i] - then.py[i] + shiftY,
                                        now.pz[i] - then.pz[i] + shiftZ,
                                        rounding(now, then, i));
                    }
                }
            }
        }
    }

    /** Greatest error of the distance between two positions, metres: on each axis, both are rounded by at most half a step. */
    private static float rounding(PoseBlock now, PoseBlock then, int i) {
        float x = Math.max(Math.abs(now.px[i]), Math.abs(then.px[i]));
        float y = Math.max(Math.abs(now.py[i]), Math.abs(then.py[i]));
        float z = Math.max(Math.abs(now.pz[i]), Math.abs(then.pz[i]));
        return 2 * Math.ulp(Math.max(x, Math.max(y, z))); // 1.73 along the diagonal
    }

    /** Adds, for one axis, the squared displacements. A loop for C2's vector code, see {@link PosePasses}. */
    private static void addSquares(float[] now, float[] before, float shift, float[] squared, int n) {
        for (int i = 0; i < n; i++) {
            float moved = now[i] - before[i] + shift;
            squared[i] = squared[i] + moved * moved;
        }
    }

    /** Whether a body existed in the tick before, and did not jump in this one. */
    private boolean isContinued(int b, int i, Snapshot before) {
        int slot = (b << PoseBlock.SHIFT) + i;
        boolean jumped =
                blocks.areBodiesOpen(b) && target.bodyBlock(b).teleports[i] != before.bodyBlock(b).teleports[i];
        return slots.isLive(slot) && !blocks.isSpawnedNow(slot) && !jumped;
    }

    private void addStandingBreaks() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (blocks.isOpen(b)) {
                addStandingBreaks(b);
            }
        }
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

    /** Gives the snapshot as many slots as the world has, and makes room in {@link #written}. */
    private void resize() {
        mostSlots = Math.max(mostSlots, slots.slotCount());
        int grown = target.reserve(mostSlots);
        if (grown > 0) {
            grownBlocks.setOpaque(grownBlocks.getPlain() + grown);
        }
        target.resize(slots.slotCount());
        written.grow(target.poses());
    }

    /** The tick, as readers count; {@link CorrectedMotion} knows it also where a shadow snapshot has another number. */
    long tick() {
        return corrected.readersTick();
    }

    /** The snapshot that is written. */
    Snapshot target() {
        return target;
    }

    void origin(double x, double y, double z) {
        target.origin(x, y, z);
        Snapshot before = previous;
        originShifted = before != null && (before.originX() != x || before.originY() != y || before.originZ() != z);
    }

    /** Spawns new bodies at once. The end of the capture despawns surplus ones, because a later count of the same tick may keep them. */
    void countBodies(int bodies) {
        slots.beginCounting();
        mostSlots = Math.max(mostSlots, bodies); // room for all at once
        while (slots.liveCount() < bodies) {
            addBody(slots.spawn(), 0);
        }
        slots.keepFirst(bodies);
        written.unselect();
    }

    /** Despawns the bodies beyond the last count. From now on bodies are spawned one by one. */
    void removeSurplus() {
        while (slots.slotCount() > slots.stayingSlots()) {
            despawn(slots.slotCount() - 1);
        }
        slots.keepFirst(Integer.MAX_VALUE);
    }

    /** Adds the new body of a slot to the snapshot. */
    void addBody(int slot, long userData) {
        written.unselect();
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
    }

    void despawn(int slot) {
        written.unselect();
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

    /** Parents a body to another one from this tick on, or to none if the id is 0. */
    void parent(int slot, long parent) {
        for (int above = slots.find(parent); above >= 0; above = slots.find(blocks.parentOf(above))) {
            if (above == slot) {
                throw new IllegalArgumentException("body " + BodyId.toString(slots.id(slot)) + " cannot ride on body "
                        + BodyId.toString(parent) + ", which is the same or rides on it; end that ride first");
            }
        }
        if (blocks.parentOf(slot) != parent) {
            int b = slot >>> PoseBlock.SHIFT;
            blocks.open(b);
            blocks.openBodies(b).parent(slot & PoseBlock.MASK, parent);
        }
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

    void findFarMoves(float metres, PoseWriter.FarMoves moves) {
        farMetres = Math.min(farMetres, metres);
        farMoves.add(moves);
        if (squaredMoves.length == 0) {
            squaredMoves = new float[PoseBlock.CAPACITY];
        }
    }

    void channel(int slot, int channel, float value) {
        int b = slot >>> PoseBlock.SHIFT;
        blocks.open(b);
        target.poses().block(b).channels[channel][slot & PoseBlock.MASK] = value;
    }

    /** Breaks the motion of each body whose pose the next capture changes. Call it when the run seeks: bodies teleport then. */
    public void breakMotion() {
        breaksMotion = true;
    }

    /** {@return whether the last capture spawned or despawned bodies} */
    public boolean bodiesChanged() {
        return bodiesChanged;
    }

    /**
     * {@return the number of poses and channel values replaced since the start, because they were not finite or a rotation was no unit
     * quaternion} Any thread.
     */
    public long quarantinedPoses() {
        return written.quarantinedPoses.getOpaque();
    }

    /**
     * Names the first replaced value, for a message. Physics thread.
     *
     * @param of the snapshot of the tick in which it was replaced, or of a later one
     * @return its kind, its body with slot and user data, and the tick
     */
    public String firstQuarantined(Snapshot of) {
        return written.firstQuarantined(of);
    }

    /**
     * Counts the blocks of up to {@value dev.escapement.state.snapshot.PoseBlock#CAPACITY} bodies that were added to snapshots, or
     * replaced by larger ones, because the world outgrew the preallocated bodies. Each is an allocation. Any thread.
     *
     * @return added and replaced blocks, over all snapshots
     */
    public long grownBlocks() {
        return grownBlocks.getOpaque();
    }

    /**
     * Reserves the id of a body that is yet to be spawned, for {@link PoseWriter#spawn(long, long)}. Any thread; lock-free, and allocates
     * nothing. Once an id was reserved, the simulation cannot count its bodies, because reserved bodies may get any slots. Exception: if it
     * counts them in its first capture, the ids reserved before become void, and no body ever has one.
     *
     * @return an id that no other call gets, and that no body has or had, unless {@link PoseWriter#despawnAs} has undone it
     * @throws IllegalStateException if the simulation has counted its bodies, or if there are too many
     */
    public long reserve() {
        return freeIds.reserve();
    }

    /**
     * Checks that ids can be reserved. Any thread. The first capture decides whether ids that were reserved before it are valid.
     *
     * @throws IllegalStateException if the simulation has counted its bodies, so that all ids that were reserved are void
     */
    public void requireReserving() {
        freeIds.requireReserving();
    }

    /**
     * Releases a reserved id whose body will not be spawned. Any thread. The next capture or {@link #freeGivenBack()} frees its slot for
     * another body; no body ever has the id.
     *
     * @param id the result of {@link #reserve()}; ignored if it was spawned or released meanwhile
     */
    public void giveBack(long id) {
        freeIds.release(id);
    }

    /**
     * Frees the slots of released ids, so that threads can reserve them again. Each capture does this. Call it while no capture runs for
     * long, for example in a pause; otherwise every reserved id takes a new slot.
     */
    public void freeGivenBack() {
        slots.offerFree();
    }

    /**
     * Holds free slots for the bodies of a restored state: until the next capture ends, threads reserve only slots that were never used.
     *
     * @return how many slots that had bodies are reserved already, for bodies that are yet to be spawned; if any, none are held
     */
    public int holdSlots() {
        return slots.hold();
    }

    /** Undoes {@link #holdSlots} if no state was restored: the next capture or {@link #freeGivenBack()} lets threads reserve the slots. */
    public void releaseSlots() {
        slots.releaseHeld();
    }
}
