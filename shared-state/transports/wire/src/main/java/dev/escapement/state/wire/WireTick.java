package dev.escapement.state.wire;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of a tick in whole numbers, equal on both sides. Slots are grouped in chunks of {@value #CHUNK}, the smallest part of a packet.
 *
 * <p>One thread.
 */
final class WireTick {

    /** The number of slots in a chunk: so few that a chunk of new bodies fits into a packet. */
    static final int CHUNK = 4;

    static final int CHUNK_SHIFT = 2;

    /** The shift from a slot to its first pose number: a pose has {@value PoseCode#NUMBERS} numbers. */
    static final int POSE_SHIFT = 3;

    private static final int BODY_SHIFT = 3;
    private static final int TELEPORTS = 2;
    private static final int WORLD = 3;
    private static final int PARENT = 4;
    private static final int SPIN = 5;

    static final int NO_PARENT = -1;

    /** The number of values that describe a body's blending: its parent and its spin. */
    static final int BLENDING = 4;

    static final int CENTRE = 3;

    private static final float SPIN_UNITS_PER_RADIAN = 4096;

    private static final long UNKNOWN_VERSION = Snapshot.NEVER_WRITTEN;

    long tick = Snapshot.NEVER_WRITTEN;
    long dueNanos;
    long inputsTaken;
    double originX;
    double originY;
    double originZ;
    int slots;

    /** The speed of simulated time: simulated nanoseconds per {@link #scaleDenominator} nanoseconds of the clock. */
    long scaleNumerator = 1;

    long scaleDenominator = 1;

    /** Created once, so that taking a snapshot allocates nothing. */
    private final Timeline.PieceVisitor scaleTaker = this::takeScale;

    private final double[] turn = new double[3];

    /** The poses, {@value PoseCode#NUMBERS} adjacent numbers each. */
    int[] poses = {};

    /** The values of channels as bits of floats; all channels of a slot are adjacent. */
    int[] channels = {};

    final int channelCount;
    int[] generation = {};

    /** The lower bits of the tick of each body's last reshape, 0 for none. */
    int[] reshapes = {};

    /**
     * The values per body, one after another: two numbers of user data, the number of its teleports, its slot in the world minus its slot
     * here, 1 + its parent's slot in the world or 0, and its spin around x, y and z since the previous tick, if poses do not show it. The
     * number of the parent is inverted if the body has a {@link #centre}.
     */
    private int[] bodies = {};

    /**
     * The offsets of centres of mass: x, y and z per slot, as bits of floats; stale where the body has none. Allocated for the first
     * offset, so that worlds without offsets use no memory and no bits of packets.
     */
    private int[] centres = {};

    /** The versions of the blocks of bodies, if the tick was taken from a snapshot. Equal versions mean equal bodies. */
    private long[] versions = {};

    boolean[] known = {};

    int knownChunks;

    WireTick(int channelCount) {
        this.channelCount = channelCount;
    }

    long userData(int slot) {
        int at = slot << BODY_SHIFT;
        return (long) bodies[at] << Integer.SIZE | Integer.toUnsignedLong(bodies[at + 1]);
    }

    int teleports(int slot) {
        return bodies[(slot << BODY_SHIFT) + TELEPORTS];
    }

    /** Returns the slot in the world of a slot's body. It differs from {@code slot} if the slots here belong to one receiver's interest. */
    int worldSlot(int slot) {
        return slot + bodies[(slot << BODY_SHIFT) + WORLD];
    }

    /** Returns the parent of a slot's body, as its slot in the world. {@link #NO_PARENT} if the body has none. */
    int parent(int slot) {
        return (isOffCentre(slot) ? ~blending(slot, 0) : blending(slot, 0)) - 1;
    }

    /** Returns whether a body's centre of mass differs from its position. */
    boolean isOffCentre(int slot) {
        return blending(slot, 0) < 0;
    }

    /** Returns one coordinate of a centre of mass's offset, as bits of a float; 0 before a decoder has read it. */
    int centre(int slot, int number) {
        return isOffCentre(slot) && centres.length > 0 ? centres[CENTRE * slot + number] : 0;
    }

    void setCentre(int slot, int number, int value) {
        centres = centres.length == 0 ? new int[CENTRE * room()] : centres;
        centres[CENTRE * slot + number] = value;
    }

    /** Writes the offset of a body's centre of mass. Invalid bits, which only a hostile sender sends, become 0. */
    void writeCentre(int slot, PoseWriter poses, int to) {
        float x = Float.intBitsToFloat(centre(slot, 0));
        float y = Float.intBitsToFloat(centre(slot, 1));
        float z = Float.intBitsToFloat(centre(slot, 2));
        boolean isValid = x * x + y * y + z * z <= ReceivedBodies.MAX_SQUARED;
        poses.centreOfMass(to, isValid ? x : 0, isValid ? y : 0, isValid ? z : 0);
    }

    /**
     * Returns a body's rotation around an axis since the previous tick, in radians; 0 unless the body rotates so fast that the poses of two
     * sent ticks do not show it.
     */
    double spin(int slot, int axis) {
        return blending(slot, 1 + axis) / SPIN_UNITS_PER_RADIAN;
    }

    boolean spins(int slot) {
        return (blending(slot, 1) | blending(slot, 2) | blending(slot, 3)) != 0;
    }

    int blending(int slot, int number) {
        return bodies[(slot << BODY_SHIFT) + PARENT + number];
    }

    void setBlending(int slot, int number, int value) {
        bodies[(slot << BODY_SHIFT) + PARENT + number] = value;
    }

    void setBody(int slot, long userData, int teleports, int worldSlot) {
        int at = slot << BODY_SHIFT;
        bodies[at] = (int) (userData >>> Integer.SIZE);
        bodies[at + 1] = (int) userData;
        bodies[at + TELEPORTS] = teleports;
        bodies[at + WORLD] = worldSlot - slot;
    }

    boolean hasSameBody(WireTick other, int slot) {
        int at = slot << BODY_SHIFT;
        int end = at + (1 << BODY_SHIFT);
        return generation[slot] == other.generation[slot]
                && reshapes[slot] == other.reshapes[slot]
                && Arrays.equals(bodies, at, end, other.bodies, at, end)
                && centre(slot, 0) == other.centre(slot, 0)
                && centre(slot, 1) == other.centre(slot, 1)
                && centre(slot, 2) == other.centre(slot, 2);
    }

    void copyBodies(WireTick from, int first, int to, int count) {
        System.arraycopy(from.generation, first, generation, to, count);
        System.arraycopy(from.reshapes, first, reshapes, to, count);
        System.arraycopy(from.bodies, first << BODY_SHIFT, bodies, to << BODY_SHIFT, count << BODY_SHIFT);
        if (from.centres.length > 0) {
            centres = centres.length == 0 ? new int[CENTRE * room()] : centres;
            System.arraycopy(from.centres, CENTRE * first, centres, CENTRE * to, CENTRE * count);
        }
    }

    private void copy(WireTick from, int first, int to, int count) {
        System.arraycopy(from.poses, first << POSE_SHIFT, poses, to << POSE_SHIFT, count << POSE_SHIFT);
        System.arraycopy(from.channels, first * channelCount, channels, to * channelCount, count * channelCount);
        copyBodies(from, first, to, count);
    }

    int channel(int slot, int channel) {
        return channels[slot * channelCount + channel];
    }

    int room() {
        return generation.length;
    }

    int chunks() {
        return (slots + CHUNK - 1) >> CHUNK_SHIFT;
    }

    /** Begins another tick, of which nothing is known yet. */
    void begin(long newTick, int newSlots) {
        tick = newTick;
        resize(newSlots);
        Arrays.fill(known, false);
        knownChunks = 0;
    }

    private void resize(int newSlots) {
        slots = newSlots;
        int chunks = chunks();
        if (known.length < chunks) {
            int length = Math.max(chunks, 2 * known.length) << CHUNK_SHIFT;
            known = Arrays.copyOf(known, length >> CHUNK_SHIFT);
            versions = new long[(length >> PoseBlock.SHIFT) + 1];
            Arrays.fill(versions, UNKNOWN_VERSION);
            generation = Arrays.copyOf(generation, length);
            reshapes = Arrays.copyOf(reshapes, length);
            bodies = Arrays.copyOf(bodies, length << BODY_SHIFT);
            centres = Arrays.copyOf(centres, centres.length == 0 ? 0 : CENTRE * length);
            poses = Arrays.copyOf(poses, length << POSE_SHIFT);
            channels = Arrays.copyOf(channels, length * channelCount);
        }
    }

    /** Returns whether a chunk surely has the same bodies as at another tick; false if that is unknown. */
    boolean hasVersionOf(WireTick other, int chunk) {
        int block = chunk >> (PoseBlock.SHIFT - CHUNK_SHIFT);
        return slots == other.slots && versions[block] == other.versions[block] && versions[block] != UNKNOWN_VERSION;
    }

    void know(int chunk) {
        if (!known[chunk]) {
            known[chunk] = true;
            knownChunks++;
        }
    }

    /** Marks chunks as unknown, because their packet could not be read to its end. */
    void forget(int first, int end) {
        for (int chunk = first; chunk < end; chunk++) {
            knownChunks -= known[chunk] ? 1 : 0;
            known[chunk] = false;
        }
    }

    boolean knows(int chunk) {
        return chunk < chunks() && known[chunk];
    }

    boolean knows(int first, int end) {
        int chunk = first;
        while (chunk < end && !isWhole() && knows(chunk)) {
            chunk++;
        }
        return end <= chunks() && (chunk >= end || isWhole());
    }

    boolean isWhole() {
        return knownChunks == chunks();
    }

    /** Copies a range of slots of another tick. Slots that the other tick lacks become empty. */
    void copySlots(WireTick from, int first, int count) {
        int has = Math.max(0, Math.min(count, from.slots - first));
        copy(from, first, first, has);
        clearSlots(first + has, count - has);
    }

    void clearSlots(int first, int count) {
        int end = first + count;
        clearPoses(first, end);
        Arrays.fill(generation, first, end, 0);
        Arrays.fill(reshapes, first, end, 0);
        Arrays.fill(bodies, first << BODY_SHIFT, end << BODY_SHIFT, 0);
    }

    void clearPoses(int first, int end) {
        Arrays.fill(poses, first << POSE_SHIFT, end << POSE_SHIFT, 0);
        Arrays.fill(channels, first * channelCount, end * channelCount, 0);
    }

    /** Begins a copy of the world's tick with other slots, all of which count as known. */
    void beginAs(WireTick world, int newSlots) {
        begin(world.tick, newSlots);
        dueNanos = world.dueNanos;
        inputsTaken = world.inputsTaken;
        originX = world.originX;
        originY = world.originY;
        originZ = world.originZ;
        scaleNumerator = world.scaleNumerator;
        scaleDenominator = world.scaleDenominator;
        knowAll();
    }

    private void knowAll() {
        Arrays.fill(known, 0, chunks(), true);
        knownChunks = chunks();
    }

    /** Copies a body from a slot of the world's tick into a slot of this tick. */
    void take(WireTick world, int worldSlot, int slot) {
        copy(world, worldSlot, slot, 1);
        bodies[(slot << BODY_SHIFT) + WORLD] = worldSlot - slot;
    }

    /**
     * Fills this tick with a rounded snapshot.
     *
     * @param before   the snapshot of the previous tick, null if unknown
     * @param fastTurn the {@link MotionBlock#turn} beyond which the rotation of a body is sent as a spin
     */
    void take(Snapshot snapshot, @Nullable Snapshot before, Timeline timeline, PoseCode code, float fastTurn) {
        int hadSlots = slots;
        begin(snapshot.tick(), snapshot.poses().slotCount());
        dueNanos = snapshot.dueNanos();
        inputsTaken = snapshot.inputsTaken();
        originX = snapshot.originX();
        originY = snapshot.originY();
        originZ = snapshot.originZ();
        timeline.pieces(scaleTaker);
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            int first = b << PoseBlock.SHIFT;
            int count = snapshot.poses().slotsIn(b);
            BodyBlock block = snapshot.bodyBlock(b);
            PoseBlock from = snapshot.poses().block(b);
            // If true, the parents are read in each tick, because a change in another block may remove one.
            boolean hasRiders = block.childCount() > 0;
            if (versions[b] != block.changedTick()
                    || versions[b] == UNKNOWN_VERSION
                    || hadSlots != slots
                    || hasRiders) {
                versions[b] = hasRiders ? UNKNOWN_VERSION : block.changedTick();
                System.arraycopy(block.generation, 0, generation, first, count);
                for (int i = 0; i < count; i++) {
                    reshapes[first + i] = (int) block.reshapedTick(i);
                    setBody(first + i, block.userData[i], block.teleports[i], first + i);
                    long parent = block.parent(i);
                    int above = 1 + (snapshot.bodies().exists(parent) ? BodyId.slot(parent) : NO_PARENT);
                    setBlending(first + i, 0, block.isOffCentre(i) ? ~above : above);
                    for (int number = 0; block.isOffCentre(i) && number < CENTRE; number++) {
                        setCentre(first + i, number, Float.floatToRawIntBits(block.centreOfMass(i, number)));
                    }
                    Arrays.fill(bodies, ((first + i) << BODY_SHIFT) + SPIN, (first + i + 1) << BODY_SHIFT, 0);
                }
            }
            if (snapshot.motion(b).changedTick() == tick) {
                boolean follows = before != null && b < before.poses().blockCount();
                takeSpins(snapshot, follows ? before : null, b, fastTurn);
            }
            for (int i = 0; i < count; i++) {
                if (!BodyId.isLive(block.generation[i])) {
                    clearPoses(first + i, first + i + 1);
                    continue;
                }
                code.code(from, i, poses, (first + i) << POSE_SHIFT);
                for (int channel = 0; channel < channelCount; channel++) {
                    channels[(first + i) * channelCount + channel] = Float.floatToRawIntBits(from.channels[channel][i]);
                }
            }
        }
        knowAll();
    }

    private void takeSpins(Snapshot snapshot, @Nullable Snapshot before, int b, float fastTurn) {
        MotionBlock motion = snapshot.motion(b);
        int first = b << PoseBlock.SHIFT;
        for (int i = 0;
                before != null
                        && motion.leastTurn() < fastTurn
                        && i < snapshot.poses().slotsIn(b);
                i++) {
            if (motion.turn[i] < fastTurn) {
                snapshot.poses().block(b).rotationSince(i, before.poses().block(b), turn);
                setSpin(first + i, turn[0], turn[1], turn[2]);
            }
        }
        MotionBreaks breaks = motion.breaks();
        for (int e = 0; e < breaks.count(); e++) {
            int slot = first + breaks.index(e);
            if (breaks.kind(e) == MotionBreaks.Kind.SPINNING) {
                setSpin(slot, breaks.x(e), breaks.y(e), breaks.z(e));
            } else if (breaks.kind(e) == MotionBreaks.Kind.BROKEN && slot < slots && spins(slot)) {
                setSpin(slot, 0, 0, 0); // a teleport is no rotation, so it has no spin
            }
        }
    }

    private void setSpin(int slot, double x, double y, double z) {
        // A block with a spin counts as different from those of all other ticks.
        versions[slot >> PoseBlock.SHIFT] = UNKNOWN_VERSION;
        setBlending(slot, 1, spinUnits(x));
        setBlending(slot, 2, spinUnits(y));
        setBlending(slot, 3, spinUnits(z));
    }

    /**
     * Rounds away from 0, so that more than 180 degrees stay more: else a receiver would take the shorter way between the two rotations.
     */
    private static int spinUnits(double radians) {
        return (int) Math.copySign(Math.ceil(Math.abs(radians) * SPIN_UNITS_PER_RADIAN), radians);
    }

    /** Takes the speed of time from the last piece of the timeline in which time does not stand still. */
    private void takeScale(long startNanos, long startSimNanos, long numerator, long denominator) {
        if (numerator != 0) {
            scaleNumerator = numerator;
            scaleDenominator = denominator;
        }
    }

    /** Returns 1 if the poses of two slots of two ticks differ, else 0. */
    int poseDiffers(int slot, WireTick other, int otherSlot) {
        int at = slot << POSE_SHIFT;
        int otherAt = otherSlot << POSE_SHIFT;
        int[] now = poses;
        int[] then = other.poses;
        int different = (now[at] ^ then[otherAt])
                | (now[at + 1] ^ then[otherAt + 1])
                | (now[at + 2] ^ then[otherAt + 2])
                | (now[at + 3] ^ then[otherAt + 3])
                | (now[at + 4] ^ then[otherAt + 4])
                | (now[at + 5] ^ then[otherAt + 5])
                | (now[at + 6] ^ then[otherAt + 6]);
        return (different | -different) >>> (Integer.SIZE - 1);
    }

    boolean hasSameScale(WireTick other) {
        return scaleNumerator == other.scaleNumerator && scaleDenominator == other.scaleDenominator;
    }
}
