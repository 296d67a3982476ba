package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * The bodies in the slots of a block, without their poses. They change more rarely than poses, so they have a version of their own.
 *
 * <p>Not thread-safe: see {@link Snapshot}. {@link Bodies} is more convenient for readers. Methods that change the block are for the
 * writer.
 *
 * @see Bodies
 */
public final class BodyBlock {

    private static final int AXES = 3;

    /** The slot's generation: odd while it holds a body, see {@link BodyId}. */
    public final int[] generation;

    /** The tick that spawned the slot's body, or, for an empty slot, the tick that despawned its last body. */
    public final long[] sinceTick;

    /** The application's own number for the body. */
    public final long[] userData;

    /** The number of teleports of the body since its spawn. */
    public final int[] teleports;

    /** True while the body keeps its last good pose, because the simulation's pose is not finite or its rotation no unit quaternion. */
    public final boolean[] quarantined;

    /** Per body, the id of its parent, 0 for none. */
    private final SparseLongs parents = new SparseLongs();

    /** Per body, {@link #reshapedTick}. */
    private final SparseLongs reshapes = new SparseLongs();

    /** Per body, x, y and z of {@link #centreOfMass}; 0 without a body. Empty before the first offset in the block. */
    private float[] centres = {};

    private int offCentreCount;
    private long changedTick = Snapshot.NEVER_WRITTEN;
    private int liveCount;

    BodyBlock(int room) {
        generation = new int[room];
        sinceTick = new long[room];
        userData = new long[room];
        teleports = new int[room];
        quarantined = new boolean[room];
    }

    BodyBlock(BodyBlock source, int room) {
        this(room);
        copyFrom(source);
    }

    /**
     * {@return the slot's generation; 0 beyond the room of the block, as if the slot had never held a body}
     *
     * @param index index within a block, 0 to {@value PoseBlock#CAPACITY} - 1
     */
    public int generationAt(int index) {
        return index < generation.length ? generation[index] : 0;
    }

    /**
     * {@return the version of the block: the last tick that changed anything in it} Blocks of two snapshots with the same version have the
     * same bodies.
     */
    public long changedTick() {
        return changedTick;
    }

    /** {@return the number of bodies in the block, 0 to {@value PoseBlock#CAPACITY}} */
    public int liveCount() {
        return liveCount;
    }

    /** {@return the number of bodies in the block that have a parent} */
    public int childCount() {
        return parents.count();
    }

    /**
     * {@return the {@link BodyId} of the body's parent, 0 if none} Readers blend the body in the parent's frame between the tick before and
     * this one. They treat a despawned parent as none.
     *
     * @param index index within the block
     */
    public long parent(int index) {
        return parents.get(index);
    }

    /**
     * Sets the parent of a body. Allocates for the first child of the block.
     *
     * @param index index within the block
     * @param id    the parent, 0 for none
     */
    public void parent(int index, long id) {
        parents.set(index, id, generation.length);
    }

    /** {@return the number of bodies in the block that got another shape since their spawn} */
    public int reshapedCount() {
        return reshapes.count();
    }

    /**
     * {@return the last tick in which the body got another shape, 0 if none did since its spawn} Tools ask for a shape again when it
     * changes.
     *
     * @param index index within the block
     */
    public long reshapedTick(int index) {
        return reshapes.get(index);
    }

    /**
     * Notes that a body has another shape. Allocates for the first such body of the block.
     *
     * @param index index within the block
     * @param tick  the tick since which it has the shape, 0 for its spawn
     */
    public void reshape(int index, long tick) {
        reshapes.set(index, tick, generation.length);
    }

    /** {@return the number of bodies in the block whose centre of mass is not their position} */
    public int offCentreCount() {
        return offCentreCount;
    }

    /**
     * {@return whether the centre of mass of a body is not its position}
     *
     * @param index index within the block
     */
    public boolean isOffCentre(int index) {
        return centreOfMass(index, 0) != 0 || centreOfMass(index, 1) != 0 || centreOfMass(index, 2) != 0;
    }

    /**
     * {@return a coordinate of the offset of a body's centre of mass from its position, metres, in the body's own frame} Readers blend the
     * centre between the tick before and this one, and rotate the offset.
     *
     * @param index index within the block
     * @param axis  0 for x, 1 for y, 2 for z
     */
    public float centreOfMass(int index, int axis) {
        return centres.length == 0 ? 0 : centres[AXES * index + axis];
    }

    /**
     * Sets the offset of a body's centre of mass. Allocates for the first offset in the block.
     *
     * @param index index within the block
     * @param x     metres, in the body's own frame
     * @param y     metres
     * @param z     metres
     */
    public void centreOfMass(int index, float x, float y, float z) {
        int countBefore = isOffCentre(index) ? 1 : 0;
        centres = centres.length == 0 ? new float[AXES * generation.length] : centres;
        centres[AXES * index] = x;
        centres[AXES * index + 1] = y;
        centres[AXES * index + 2] = z;
        offCentreCount += (isOffCentre(index) ? 1 : 0) - countBefore;
    }

    /**
     * Sets the version of the block.
     *
     * @param tick the tick that changes the block
     */
    public void changedAt(long tick) {
        changedTick = tick;
    }

    /**
     * Puts a body into a slot.
     *
     * @param index         index within the block
     * @param newGeneration odd
     * @param tick          the tick that spawns it
     * @param newUserData   the application's own number
     */
    public void spawn(int index, int newGeneration, long tick, long newUserData) {
        generation[index] = newGeneration;
        sinceTick[index] = tick;
        userData[index] = newUserData;
        teleports[index] = 0;
        quarantined[index] = false;
        liveCount++;
    }

    /**
     * Takes the body out of a slot.
     *
     * @param index         index within the block
     * @param newGeneration even
     * @param tick          the tick that despawns it
     */
    public void despawn(int index, int newGeneration, long tick) {
        generation[index] = newGeneration;
        sinceTick[index] = tick;
        parent(index, 0);
        reshape(index, 0);
        if (isOffCentre(index)) {
            centreOfMass(index, 0, 0, 0);
        }
        liveCount--;
    }

    /** Removes all bodies. */
    public void clear() {
        Arrays.fill(generation, 0);
        Arrays.fill(sinceTick, 0);
        parents.clear();
        reshapes.clear();
        Arrays.fill(centres, 0);
        offCentreCount = 0;
        liveCount = 0;
    }

    /**
     * Copies another block.
     *
     * @param source the same block of the snapshot before, with at most as much room as this block
     */
    public void copyFrom(BodyBlock source) {
        int room = source.generation.length;
        System.arraycopy(source.generation, 0, generation, 0, room);
        System.arraycopy(source.sinceTick, 0, sinceTick, 0, room);
        System.arraycopy(source.userData, 0, userData, 0, room);
        System.arraycopy(source.teleports, 0, teleports, 0, room);
        System.arraycopy(source.quarantined, 0, quarantined, 0, room);
        parents.copyFrom(source.parents, room, generation.length);
        reshapes.copyFrom(source.reshapes, room, generation.length);
        centres = centres.length < source.centres.length ? new float[AXES * generation.length] : centres;
        Arrays.fill(centres, 0); // because the source may have no array to copy
        System.arraycopy(source.centres, 0, centres, 0, source.centres.length);
        offCentreCount = source.offCentreCount;
        changedTick = source.changedTick;
        liveCount = source.liveCount;
    }

    long addTo(long checksum, int slots) {
        long sum = Checksum.add(checksum, changedTick);
        for (int i = 0; i < slots; i++) {
            sum = Checksum.add(sum, BodyId.of(teleports[i], generation[i]));
            sum = Checksum.add(sum, sinceTick[i]);
            sum = Checksum.add(sum, quarantined[i] ? ~userData[i] : userData[i]);
        }
        sum = reshapes.addTo(parents.addTo(sum, slots), slots);
        return Checksum.add(sum, centres, offCentreCount == 0 ? 0 : AXES * slots);
    }
}
