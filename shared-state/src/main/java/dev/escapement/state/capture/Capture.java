package dev.escapement.state.capture;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;

/**
 * Captures the poses of a source into one snapshot per tick, each of which continues the one before.
 *
 * <p>One thread, except {@link #reserve()}, {@link #requireReserving()}, {@link #giveBack} and the counters. Allocates nothing unless the
 * world outgrows what was preallocated.
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

    /** Lower numbers are those of ticks that run again, which readers do not get. */
    static final long ASIDE_TICKS = Long.MIN_VALUE / 2;

    private final PoseLayout layout;
    private final Source source;
    private final SlotReserve reserve;
    private final BodySlots slots;
    private final SnapshotBuilder builder;
    private final WritingThread thread = new WritingThread();
    private final PoseWriter poses;
    private boolean failed;

    /** The snapshots of ticks that run again, which readers do not get; empty before the first. The last one that was written is at 0. */
    private final WritableSnapshot[] asides = new WritableSnapshot[2];

    /** Whether the last capture was one of these. */
    private boolean isAside;

    /** The number that the last of them had, because each version of a block has another. */
    private long asideTick = ASIDE_TICKS;

    /**
     * Creates a capture of an empty world.
     *
     * @param source             where poses come from
     * @param layout             what a pose consists of
     * @param rate               the rate of the ticks
     * @param preallocatedBodies how many bodies fit before anything is allocated
     */
    public Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies) {
        this(source, layout, rate, preallocatedBodies, 0);
    }

    /** For tests that begin near the wrap of generations: {@code firstGeneration}, even, is that of slots that had no body. */
    Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies, int firstGeneration) {
        this.source = source;
        this.layout = layout;
        reserve = new SlotReserve(BodySlots.MAX_SLOTS, firstGeneration);
        slots = new BodySlots(preallocatedBodies, reserve);
        builder = new SnapshotBuilder(layout, rate.dtSeconds(), preallocatedBodies, slots);
        poses = new PoseWriter(layout, slots, builder, thread);
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
        return reserve.reserve();
    }

    /**
     * Checks that ids can be reserved. Any thread may ask. Whether ids that were reserved before the first capture are valid is known only
     * after it.
     *
     * @throws IllegalStateException if the simulation has counted its bodies, so that all ids that were reserved are void
     */
    public void requireReserving() {
        reserve.requireReserving();
    }

    /**
     * Gives back a reserved id whose body will not be spawned. Any thread. The next capture or {@link #takeBack()} frees its slot for
     * another body; no body ever has the id.
     *
     * @param id what {@link #reserve()} returned; ignored if it was spawned or given back meanwhile
     */
    public void giveBack(long id) {
        reserve.giveBack(id);
    }

    /**
     * Frees the slots of ids that were given back, so that they can be reserved again. Each capture does this. Call it while no capture
     * runs for long, for example in a pause; otherwise every reserved id takes a new slot.
     */
    public void takeBack() {
        slots.refillReserve();
    }

    /**
     * Holds free slots for the bodies of a state that is restored: until the next capture has ended, threads reserve only slots that were
     * never used.
     *
     * @return how many slots that had bodies are reserved already, for bodies that are yet to be spawned; then none are held
     */
    public int holdSlots() {
        return slots.hold();
    }

    /** Undoes {@link #holdSlots}, if no state was restored: the next capture or {@link #takeBack()} frees the slots. */
    public void letSlotsGo() {
        slots.letGo();
    }

    /**
     * Captures a tick that runs again after a saved state was restored, and that readers do not get. The next capture goes on from there,
     * and says for each body that readers have known how far it was from where it should have been.
     *
     * @param latest the snapshot that readers got last
     * @return the bodies of the tick, valid until the capture after the next
     * @throws Exception as from {@link #captureInto}
     */
    public Snapshot captureAside(Snapshot latest) throws Exception {
        Snapshot before = isAside ? asides[0] : latest;
        WritableSnapshot aside = asides[1] == null ? new WritableSnapshot(slots.slotCount(), layout) : asides[1];
        asides[1] = asides[0];
        asides[0] = aside;
        aside.startTick(--asideTick, 0);
        write(aside, before, latest);
        isAside = true;
        return aside;
    }

    /**
     * {@return what the next capture goes on from}
     *
     * @param latest the snapshot that readers got last, null if there is none
     */
    public @Nullable Snapshot before(@Nullable Snapshot latest) {
        return isAside ? asides[0] : latest;
    }

    /**
     * Writes a snapshot.
     *
     * @param snapshot the snapshot, with its tick already set
     * @param latest   the snapshot of the tick before, null for the first
     * @throws IllegalStateException if an earlier capture threw, because an unfinished one cannot be continued; if another thread tried to
     *                               write poses, with the exception of that thread as the cause
     * @throws Exception             what the source throws
     */
    public void captureInto(WritableSnapshot snapshot, @Nullable Snapshot latest) throws Exception {
        write(snapshot, before(latest), latest);
        isAside = false;
    }

    private void write(WritableSnapshot snapshot, @Nullable Snapshot before, @Nullable Snapshot shown)
            throws Exception {
        if (failed) {
            throw new IllegalStateException("tick " + snapshot.tick()
                    + " cannot be captured, because the capture of an earlier one failed half way");
        }
        failed = true;
        builder.startTick(snapshot, before, shown);
        thread.begin();
        try {
            source.capture(poses);
            thread.requireAlone(snapshot.tick());
            builder.removeUncounted();
            builder.written().requireAllNew();
            builder.finish();
            slots.letGo();
            failed = false;
        } finally {
            thread.end();
            builder.release();
        }
    }

    /** Breaks, in the next capture, the motion of each body whose pose differs from the tick before: the run went back, and bodies jumped. */
    public void breakMotion() {
        builder.breakMotion();
    }

    /** {@return whether bodies came or went in the last capture} */
    public boolean bodiesChanged() {
        return builder.bodiesChanged();
    }

    /**
     * {@return how many poses and channel values were replaced because they were not finite or their rotation was no unit quaternion, since
     * the start} Any thread may ask.
     */
    public long quarantinedPoses() {
        return builder.written().quarantinedPoses();
    }

    /**
     * Names the first replaced value, for a message. Physics thread.
     *
     * @param of the snapshot of the tick in which it was replaced
     * @return its kind, its body with slot and user data, and the tick
     */
    public String firstQuarantined(Snapshot of) {
        return builder.written().firstQuarantined(of);
    }

    /**
     * How many blocks of {@value dev.escapement.state.snapshot.PoseBlock#CAPACITY} bodies had to be added to snapshots
     * because the world outgrew what was preallocated. Each is an allocation. Any thread may ask.
     *
     * @return added blocks, over all snapshots
     */
    public long grownBlocks() {
        return builder.grownBlocks();
    }
}
