package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes the poses of a tick from a simulation. It guarantees to readers:
 *
 * <ol>
 *   <li>Every value is finite.
 *   <li>Every rotation is a unit quaternion with the sign nearer to the tick before.
 *   <li>Every interruption of a motion has a motion break.
 * </ol>
 *
 * <p>A body without a new pose has not moved, and costs nothing. A simulation with a fixed number of bodies sets that number and counts
 * them from 0:
 *
 * <pre>{@code
 * poses.bodyCount(2);
 * poses.set(0, 0f, 1f, 0f, 0f, 0f, 0f, 1f);
 * poses.set(1, 4f, 1f, 0f, 0f, 0f, 0f, 1f);
 * }</pre>
 *
 * A simulation whose number of bodies changes spawns and despawns them:
 *
 * <pre>{@code
 * long id = poses.spawn(userData);
 * poses.set(poses.slotOf(id), 0f, 1f, 0f, 0f, 0f, 0f, 1f);
 * }</pre>
 *
 * <p>Physics thread only, valid during the capture of a tick: outside of one every call throws an {@link IllegalStateException}. A call
 * that throws has written nothing. A call of another thread throws and fails the capture too, because that thread's poses would be missing.
 */
public final class PoseWriter {

    /**
     * Receives the displacement outliers of a tick.
     *
     * @see PoseWriter#findOutliers
     */
    @FunctionalInterface
    public interface OutlierVisitor {

        /**
         * Receives an outlier. The visitor may call {@link PoseWriter#teleport} and change how readers blend bodies.
         *
         * <p>It can neither set poses or the origin nor spawn or despawn bodies, because the capture has checked the poses: these calls
         * throw an {@link IllegalStateException}.
         *
         * @param slot     the body's slot
         * @param dx       displacement since the tick before, metres
         * @param dy       displacement since the tick before, metres
         * @param dz       displacement since the tick before, metres
         * @param rounding error bound of the displacement's length, metres: far from the origin the steps of a {@code float} are long
         * @param turn     the {@link dev.escapement.state.snapshot.MotionBlock#turn} of a body that turned by more than a quarter turn,
         *                 else 0; also 0 if an angular velocity may explain the turn
         */
        void moved(int slot, float dx, float dy, float dz, float rounding, float turn);
    }

    private static final int OUTSIDE = 0;

    /** All poses are written and checked. Visitors receive displacement outliers, and may not write poses. */
    private static final int COMPLETE = 1;

    private static final int WRITING = 2;

    private final PoseLayout layout;
    private final BodySlots slots;
    private final Reservations reservations;
    private final Capture capture;
    private final WrittenPoses writtenPoses;

    /**
     * The thread of the last capture. Stays between two captures: storing it anew in each tick makes a garbage collector such as G1 scan
     * this object, which took a tenth of a core with a thousand worlds.
     */
    private @Nullable Thread thread;

    /**
     * The phase of the current capture. Volatile: open stores {@link #thread} before the phase, and the store of the phase releases the
     * thread to the load of the phase in require. Else a caller could read an earlier thread, perhaps itself, and write poses into the
     * capture of another thread.
     */
    private volatile int phase = OUTSIDE;

    /**
     * The exception of the first attempt of another thread. Volatile: that thread stores it before it throws it, and requireAlone reads it;
     * else a tick could be published without that thread's poses.
     */
    private final AtomicReference<@Nullable IllegalStateException> intrusion = new AtomicReference<>();

    // The point from which setInWorld measures, metres in the world.
    private double zeroX;
    private double zeroY;
    private double zeroZ;

    PoseWriter(PoseLayout layout, BodySlots slots, Capture capture, WrittenPoses writtenPoses) {
        this.layout = layout;
        this.slots = slots;
        reservations = slots.reservations;
        this.capture = capture;
        this.writtenPoses = writtenPoses;
    }

    /** Starts a capture by the calling thread. */
    void open() {
        Thread caller = Thread.currentThread();
        if (thread != caller) {
            thread = caller;
        }
        phase = WRITING;
    }

    /** Ends the writing of poses. Until {@link #close}, visitors receive displacement outliers. */
    void complete() {
        phase = COMPLETE;
    }

    void close() {
        phase = OUTSIDE;
    }

    /**
     * Checks that no other thread tried to write. An attempt after this check fails the next tick.
     *
     * @throws IllegalStateException if another thread tried
     */
    void requireAlone(long tick) {
        IllegalStateException first = intrusion.get();
        if (first != null) {
            throw new IllegalStateException(
                    "tick " + tick + " is not complete: another thread tried to write poses", first);
        }
    }

    /** {@return the tick of this capture, in the numbers of published snapshots} */
    public long tick() {
        require(COMPLETE);
        return capture.target().tick();
    }

    /** {@return whether this capture belongs to a tick; false if commands changed the world while time stood still} */
    public boolean isStepped() {
        require(COMPLETE);
        return capture.target().isStepped();
    }

    /**
     * Sets the origin of positions from this tick on. Call it before any pose of the tick. Bodies without a new pose stay where they are
     * in the world, rounded to {@code float} once more: set a body again if its position must be exact.
     *
     * @param x metres
     * @param y metres
     * @param z metres
     * @throws IllegalArgumentException if a value is not finite or beyond 1e18 m
     * @throws IllegalStateException    if poses were already written in this tick
     */
    public void origin(double x, double y, double z) {
        require(WRITING);
        requireFinite("an origin", x, y, z);
        writtenPoses.requireNoPoses();
        capture.target().origin(x, y, z);
    }

    private static void requireFinite(String what, double x, double y, double z) {
        if (!PoseChecks.isFinite((float) x, (float) y, (float) z)) {
            throw new IllegalArgumentException(
                    what + " must be finite and not beyond 1e18 m, but is (" + x + ", " + y + ", " + z + ")");
        }
    }

    /**
     * Sets the point that {@link #setInWorld} measures positions from. At first it is the world's zero. Call this together with
     * {@link #origin} when an engine shifts its own origin.
     *
     * @param x metres in the world
     * @param y metres in the world
     * @param z metres in the world
     * @throws IllegalArgumentException if a value is not finite or beyond 1e18 m
     */
    public void zero(double x, double y, double z) {
        require(WRITING);
        requireFinite("the zero", x, y, z);
        zeroX = x;
        zeroY = y;
        zeroZ = z;
    }

    /**
     * Sets the number of bodies, for simulations that number them from 0 without a gap. Spawns missing bodies with user data 0, and
     * despawns bodies beyond that number. The last call of a tick counts, because a simulation may wrap another one and add bodies to its
     * count.
     *
     * <p>After the first call, even with 0 bodies, no thread can reserve an id, and no body gets an id that was reserved before.
     *
     * @param bodies the number; slots 0 to {@code bodies - 1} have one each
     * @throws IllegalArgumentException if negative or above the maximum
     * @throws IllegalStateException    if bodies despawned one by one left a gap, or if an id was reserved and bodies live
     */
    public void bodyCount(int bodies) {
        require(WRITING);
        if (bodies < 0 || bodies > BodySlots.MAX_SLOTS) {
            throw new IllegalArgumentException(
                    "the number of bodies must be within 0 and " + BodySlots.MAX_SLOTS + ", but is " + bodies);
        }
        capture.countBodies(bodies);
    }

    /**
     * Adds a body from this tick on. Set its pose in the same tick.
     *
     * @param userData the application's number, which readers see
     * @return the body's {@link BodyId}
     * @throws IllegalStateException if there are too many bodies
     */
    public long spawn(long userData) {
        require(WRITING);
        capture.removeSurplus();
        int slot = slots.spawn();
        capture.addBody(slot, userData);
        return slots.id(slot);
    }

    /**
     * Adds the body of a reserved id, from this tick on. Set its pose in the same tick.
     *
     * @param id       the result of {@link Reservations#reserve()}; spawn commands get it as an argument
     * @param userData the application's number, which readers see
     * @throws IllegalArgumentException if the id is not reserved: it never was, was released, or was spawned before
     */
    public void spawn(long id, long userData) {
        require(WRITING);
        reservations.requireReserved(id, capture.target().tick());
        add(id, userData);
    }

    /**
     * Adds a body with an id from another world or a restored state, unless the body exists. The id may be new to this run. Set the pose of
     * an added body in the same tick.
     *
     * @param id       an id of an odd generation, in a slot that is free, or reserved for this id
     * @param userData the application's number, which readers see
     * @return whether this call added the body
     * @throws IllegalArgumentException if it is no id of a body, its slot holds another body, or is reserved for another body
     */
    public boolean spawnAs(long id, long userData) {
        require(WRITING);
        if (slots.find(id) >= 0) {
            return false;
        }
        if (!reservations.isReserved(id) && !reservations.claim(id)) {
            throw new IllegalArgumentException("body " + BodyId.toString(id) + " cannot be spawned in tick "
                    + capture.target().tick() + ": its slot is not free, or its generation is not odd");
        }
        add(id, userData);
        return true;
    }

    private void add(long id, long userData) {
        capture.removeSurplus();
        slots.spawnAs(id);
        capture.addBody(BodyId.slot(id), userData);
    }

    /**
     * Removes a body that another world or a restored state lacks. If the body does not exist, and its slot is free, the slot gets the
     * generation that a despawn of the body leaves. So ticks that are re-simulated after a restore give bodies the same ids again, even
     * bodies that only undone ticks spawned, and even while threads reserve ids.
     *
     * @param id the body's id, which may be new to this run
     * @return whether the body existed
     */
    public boolean despawnAs(long id) {
        require(WRITING);
        boolean exists = slots.find(id) >= 0;
        if (exists || reservations.isReserved(id)) {
            despawn(id);
        } else if (reservations.claim(id)) {
            reservations.despawnAs(id);
        }
        return exists;
    }

    /**
     * Removes a body from this tick on, or releases a reserved id.
     *
     * @param id the body
     * @throws IllegalArgumentException if there is no such body, and the id is not reserved
     */
    public void despawn(long id) {
        require(WRITING);
        if (reservations.isReserved(id)) {
            slots.skipGeneration(BodyId.slot(id));
        } else {
            capture.despawn(slotOf(id));
        }
    }

    /**
     * {@return whether {@link #spawn(long, long)} would accept an id} False once the id was spawned, despawned, or released because its
     * command threw.
     *
     * @param id the id from a spawn command
     */
    public boolean isReserved(long id) {
        require(COMPLETE);
        return reservations.isReserved(id);
    }

    /**
     * {@return the slot of a body, for all methods that take a slot}
     *
     * @param id the body
     * @throws IllegalArgumentException if there is no such body
     */
    public int slotOf(long id) {
        require(COMPLETE);
        return slots.require(id, capture.target().tick());
    }

    /**
     * Writes the pose of one body. The capture checks it later, with all others of its block.
     *
     * <p>A pose is quarantined if a value is not finite (or beyond 1e18 m), or if the squared length of its rotation differs from 1 by more
     * than 0.1. The body's last good pose replaces it; a new body gets the origin, unrotated. The capture flags the body and counts
     * the pose. A smaller difference is drift: the capture normalises the rotation.
     *
     * @param slot the body's slot
     * @param x    position, metres from the origin
     * @param y    position, metres from the origin
     * @param z    position, metres from the origin
     * @param rx   rotation, unit quaternion x
     * @param ry   rotation, unit quaternion y
     * @param rz   rotation, unit quaternion z
     * @param rw   rotation, unit quaternion w
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalStateException     if the pose was already written in this tick
     */
    public void set(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        require(WRITING);
        if (!writtenPoses.set(slot, x, y, z, rx, ry, rz, rw)) {
            writtenPoses.requireUnwritten(slot); // throws here, and its message says why
        }
    }

    /**
     * Writes the pose of one body as {@link #set} does, with a position in the world, measured from {@link #zero}. Subtracts the snapshot's
     * origin before the rounding to {@code float}. So the error within 8 km of the origin is at most 0.25 mm along each axis, however far
     * the world's zero is.
     *
     * @param slot the body's slot
     * @param x    position, metres in the world
     * @param y    position, metres in the world
     * @param z    position, metres in the world
     * @param rx   rotation, unit quaternion x
     * @param ry   rotation, unit quaternion y
     * @param rz   rotation, unit quaternion z
     * @param rw   rotation, unit quaternion w
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalStateException     if the pose was already written in this tick
     */
    public void setInWorld(int slot, double x, double y, double z, float rx, float ry, float rz, float rw) {
        Snapshot snapshot = capture.target();
        set(
                slot,
                (float) (x - (snapshot.originX() - zeroX)),
                (float) (y - (snapshot.originY() - zeroY)),
                (float) (z - (snapshot.originZ() - zeroZ)),
                rx,
                ry,
                rz,
                rw);
    }

    /**
     * Writes the poses of bodies in consecutive slots, as {@link #set} does for each.
     *
     * @param firstSlot the first body's slot
     * @param count     the number of bodies
     * @param positions x, y, z for each, metres from the origin
     * @param rotations unit quaternion x, y, z, w for each
     * @throws IndexOutOfBoundsException if a slot has no body
     * @throws IllegalArgumentException  if an array is too short
     * @throws IllegalStateException     if one of the poses was already written in this tick
     */
    public void setAll(int firstSlot, int count, float[] positions, float[] rotations) {
        require(WRITING);
        writtenPoses.setAll(firstSlot, count, positions, rotations);
    }

    /**
     * Writes the angular velocity of a body, after its pose. Only bodies that turn by more than half a turn a tick need it, because two
     * rotations do not determine their motion. An angular velocity that is not finite is counted as a quarantined value, and has no effect.
     *
     * @param slot the body's slot
     * @param wx   radians a second around the world's x axis
     * @param wy   radians a second around the world's y axis
     * @param wz   radians a second around the world's z axis
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalStateException     if the body's pose was not yet written in this tick
     */
    public void angularVelocity(int slot, float wx, float wy, float wz) {
        requireBody(slot);
        writtenPoses.angularVelocity(slot, wx, wy, wz);
    }

    /**
     * Writes a channel of a body. The capture counts a value that is not finite, and keeps the last finite one.
     *
     * @param slot    the body's slot
     * @param channel the channel's index in the {@link PoseLayout}
     * @param value   the value
     * @throws IndexOutOfBoundsException if there is no such body or no such channel
     */
    public void channel(int slot, int channel, float value) {
        requireBody(slot);
        int channels = layout.channels().size();
        if (channel < 0 || channel >= channels) {
            throw new IndexOutOfBoundsException(
                    "there is no channel " + channel + ": the layout has " + channels + " channels");
        }
        if (Float.isFinite(value)) {
            capture.channel(slot, channel, value);
        } else {
            // A string only for the first, which a message names.
            writtenPoses.countQuarantined(slot, capture.quarantinedPoses() == 0 ? "channel " + channel : "channel");
        }
    }

    /**
     * Teleports a body to this tick's pose: readers show the old pose until this tick, then the new one.
     *
     * @param slot the body's slot
     * @throws IndexOutOfBoundsException if there is no such body
     */
    public void teleport(int slot) {
        requireBody(slot);
        capture.teleport(slot);
    }

    /**
     * Teleports a body by a distance in addition to its motion, which continues. Readers blend from the old position plus the distance. For
     * worlds that wrap around, portals, and moving platforms.
     *
     * @param slot the body's slot
     * @param dx   metres
     * @param dy   metres
     * @param dz   metres
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalArgumentException  if the distance is not finite or beyond 1e18 m
     */
    public void teleportBy(int slot, float dx, float dy, float dz) {
        requireBody(slot);
        if (!PoseChecks.isFinite(dx, dy, dz)) {
            throw new IllegalArgumentException("a jump must be finite and not beyond 1e18 m, but that of body " + slot
                    + " is (" + dx + ", " + dy + ", " + dz + ")");
        }
        capture.teleportBy(slot, dx, dy, dz);
    }

    /**
     * Finds, at the end of this capture, displacement outliers, that is, bodies that moved farther than a distance since the tick before,
     * or turned by more than a quarter turn that no {@link #angularVelocity} of this tick or the one before may explain. A simulation can
     * find unannounced teleports among them. Omits bodies that spawned or teleported in this tick, and all bodies after a
     * seek.
     *
     * @param metres  the displacement that an outlier exceeds; the smallest value in a tick holds for all calls
     * @param visitor receives each outlier, in slot order
     * @throws IllegalArgumentException if the distance is not positive
     */
    public void findOutliers(float metres, OutlierVisitor visitor) {
        require(WRITING);
        if (!(metres > 0)) {
            throw new IllegalArgumentException(
                    "an outlier must be longer than 0 m, but is to be longer than " + metres);
        }
        capture.movedBodies().visitOutliers(metres, visitor);
    }

    /**
     * Sets whether readers blend a body between ticks, from this tick on. At first they blend every body.
     *
     * @param slot    the body's slot
     * @param blended false to show the pose of a tick until the next one
     * @throws IndexOutOfBoundsException if there is no such body
     */
    public void blended(int slot, boolean blended) {
        requireBody(slot);
        slots.snapping.set(slot, !blended);
    }

    /**
     * Parents a body to another one from this tick on, for example a passenger to a platform that turns. Readers blend the child's pose in
     * the parent frame between the tick before and this one.
     *
     * <p>Poses of the child stay poses in the world. It keeps its parent until the next call, or the despawn of one of the two. A parent
     * may have a parent itself. A child of a body that turns by more than half a turn a tick needs {@link #angularVelocity} itself. A
     * parent that teleports carries the child only if the child's pose moved too.
     *
     * @param slot     the body's slot
     * @param parentId the {@link BodyId} of the parent; 0 for none, as at first. The id of a missing body counts as 0: the body may be
     *                 despawned, or undone by a restore
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalArgumentException  if the parent's id cannot be that of a body, or the parent is the body itself or its descendant
     */
    public void relativeTo(int slot, long parentId) {
        requireBody(slot);
        boolean isThere = slots.find(parentId) >= 0;
        if (!isThere && parentId != 0 && !BodyId.isLive(BodyId.generation(parentId))) {
            slotOf(parentId); // throws, because there is no such body
        }
        capture.parent(slot, isThere ? parentId : 0);
    }

    /**
     * Offsets a body's centre of mass from its position, from this tick on: readers blend the centre between the tick before and this one,
     * and rotate the offset. So a body that rotates about its centre of mass keeps its path, even if its position is another point of the
     * body.
     *
     * <p>Poses of the body stay poses of its position. The offset lasts until the next call or the despawn. A body whose centre of mass is
     * its position needs no call.
     *
     * @param slot the body's slot
     * @param x    metres from the position, in the body's own frame; 0 at first
     * @param y    metres
     * @param z    metres
     * @throws IndexOutOfBoundsException if there is no such body
     * @throws IllegalArgumentException  if the offset is not finite or beyond 1e18 m
     */
    public void centreOfMass(int slot, float x, float y, float z) {
        requireBody(slot);
        if (!PoseChecks.isFinite(x, y, z)) {
            throw new IllegalArgumentException(
                    "the centre of mass of body " + slot + " must be finite and within 1e18 m, but is (" + x + ", " + y
                            + ", " + z + "); pass its offset from the position in metres");
        }
        capture.centreOfMass(slot, x, y, z);
    }

    /**
     * Notes that a body has another shape from this tick on, so that tools ask for it again. A body that is spawned in this tick needs no
     * call.
     *
     * @param slot the body's slot
     * @throws IndexOutOfBoundsException if there is no such body
     */
    public void reshape(int slot) {
        requireBody(slot);
        capture.reshape(slot);
    }

    private void requireBody(int slot) {
        require(COMPLETE);
        slots.requireStaying(slot);
    }

    /** Throws unless the calling thread captures, in this phase or an earlier one of the capture. */
    private void require(int latestPhase) {
        int current = phase;
        Thread last = thread;
        if (current < latestPhase || last != Thread.currentThread()) {
            refuse(current, last);
        }
    }

    private void refuse(int current, @Nullable Thread capturing) {
        Thread caller = Thread.currentThread();
        if (current == OUTSIDE || capturing == null) {
            throw new IllegalStateException("poses can be written during the capture of a tick only");
        }
        if (capturing == caller) {
            throw new IllegalStateException(
                    "the poses of this tick are complete: a visitor of outliers may teleport bodies,"
                            + " but not set poses, nor spawn or despawn bodies; do that in the next tick");
        }
        IllegalStateException refusal = new IllegalStateException(
                "poses can be written by the thread that captures only: thread '" + caller.getName()
                        + "' tried while thread '" + capturing.getName() + "' captures; compute on other threads, and"
                        + " write on this one");
        intrusion.compareAndSet(null, refusal);
        throw refusal;
    }
}
