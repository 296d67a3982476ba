package dev.escapement.render.tools;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Keeps the bodies and poses of the latest ticks.
 *
 * <p>Use it to scrub back, to draw a path of the last seconds, or to find the picture that a client saw when it acted.
 *
 * <pre>{@code
 * history.add(reader.window());                          // at least every window size - 1 ticks
 * ShownWorld seen = history.at(shot.tick(), shot.alpha());   // the client sent its view.clock().tick() and .alpha()
 * }</pre>
 *
 * <p>Keeps id, user data, teleports, last reshape, parent, centre of mass, pose of each body and its rotation since the tick before, motion
 * breaks, the origin, and when the tick was due and published. A block of {@value PoseBlock#CAPACITY} bodies that has not changed from one
 * tick to the next is kept once: a tick costs 32 bytes for each body of a block that moves. Arrays of dropped ticks are used again, so that
 * a full history of an unchanged world size allocates next to nothing.
 *
 * <p>One thread at a time.
 */
public final class History {

    private static final int POSE = 7;
    private static final int AXES = 3;

    /** The floats of a body: the pose, and how far it rotated since the tick before. */
    private static final int FLOATS = POSE + 1;

    private static final KeptTick NOTHING =
            new KeptTick(new Snapshot(PoseLayout.PLAIN), new KeptPoses[0], new KeptBodies[0]);

    private final int maxTicks;
    private final long maxBytes;
    private final TreeMap<Long, KeptTick> ticks = new TreeMap<>();

    private final Deque<KeptPoses> free = new ArrayDeque<>();

    private long bytes;

    // The ticks around the moment that at() shows.
    private final WritableSnapshot previous = new WritableSnapshot(0, PoseLayout.PLAIN);
    private final WritableSnapshot current = new WritableSnapshot(0, PoseLayout.PLAIN);
    private final Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);

    /**
     * Creates an empty history. The newest tick is kept however large it is.
     *
     * @param maxTicks how many ticks to keep at most, at least 1
     * @param maxBytes how much memory their poses and bodies take at most
     * @throws IllegalArgumentException if {@code maxTicks} is less than 1
     */
    public History(int maxTicks, long maxBytes) {
        if (maxTicks < 1) {
            throw new IllegalArgumentException("maxTicks must be at least 1, but is " + maxTicks);
        }
        this.maxTicks = maxTicks;
        this.maxBytes = maxBytes;
    }

    /**
     * Copies the ticks of a window that are newer than all kept ticks. A window whose newest tick is older than the newest kept tick begins
     * a new history: all kept ticks are dropped first.
     *
     * @param window the window that a reader holds
     */
    public void add(Window window) {
        Objects.requireNonNull(window, "window must not be null; pass that of a reader");
        boolean anew = window.newestTick() < newestTick();
        for (int i = 0; i < window.size(); i++) {
            if (anew || window.snapshot(i).tick() > newestTick()) {
                add(window.snapshot(i));
            }
        }
    }

    /**
     * Copies a tick. Ticks may be left out. A tick that is not newer than the newest kept tick begins a new history: all kept ticks are
     * dropped first.
     *
     * @param snapshot the tick
     */
    public void add(Snapshot snapshot) {
        Objects.requireNonNull(snapshot, "snapshot must not be null; pass the next one of a window");
        if (snapshot.tick() <= newestTick()) {
            while (!ticks.isEmpty()) {
                dropOldest();
            }
        }
        if (ticks.size() == maxTicks) {
            dropOldest();
        }
        KeptTick before = ticks.isEmpty() ? NOTHING : ticks.lastEntry().getValue();
        ticks.put(snapshot.tick(), keep(snapshot, before));
        while (bytes > maxBytes && ticks.size() > 1) {
            dropOldest();
        }
        while (free.size() > snapshot.poses().blockCount()) {
            free.removeFirst();
        }
    }

    private KeptTick keep(Snapshot snapshot, KeptTick before) {
        int blocks = snapshot.poses().blockCount();
        KeptTick kept = new KeptTick(snapshot, new KeptPoses[blocks], new KeptBodies[blocks]);
        for (int b = 0; b < blocks; b++) {
            int slots = snapshot.poses().slotsIn(b);
            boolean knownBefore = b < before.poses.length && before.bodies[b].slots() == slots;
            kept.poses[b] = knownBefore
                            && before.poses[b].version == snapshot.motion(b).changedTick()
                    ? before.poses[b]
                    : keepPoses(snapshot, b, slots);
            kept.poses[b].users++;
            kept.bodies[b] = knownBefore
                            && before.bodies[b].version == snapshot.bodyBlock(b).changedTick()
                    ? before.bodies[b]
                    : keepBodies(snapshot.bodyBlock(b), slots);
            kept.bodies[b].users++;
        }
        return kept;
    }

    private KeptPoses keepPoses(Snapshot snapshot, int b, int slots) {
        KeptPoses used = free.pollLast();
        KeptPoses kept = used != null && used.floats.length == FLOATS * slots ? used : new KeptPoses(slots);
        kept.version = snapshot.motion(b).changedTick();
        float[][] source = components(snapshot.poses().block(b));
        for (int component = 0; component < POSE; component++) {
            System.arraycopy(source[component], 0, kept.floats, component * slots, slots);
        }
        System.arraycopy(snapshot.motion(b).turn, 0, kept.floats, POSE * slots, slots);
        kept.breaks = Break.of(snapshot.motion(b).breaks());
        bytes += kept.bytes();
        return kept;
    }

    private KeptBodies keepBodies(BodyBlock source, int slots) {
        KeptBodies kept = new KeptBodies(source, slots);
        bytes += kept.bytes();
        return kept;
    }

    private void dropOldest() {
        KeptTick oldest = ticks.pollFirstEntry().getValue();
        for (KeptPoses poses : oldest.poses) {
            if (--poses.users == 0) {
                bytes -= poses.bytes();
                free.addLast(poses);
            }
        }
        for (KeptBodies bodies : oldest.bodies) {
            if (--bodies.users == 0) {
                bytes -= bodies.bytes();
            }
        }
    }

    /** {@return the oldest tick that is kept; {@link Snapshot#NEVER_WRITTEN} if there is none} */
    public long oldestTick() {
        return ticks.isEmpty() ? Snapshot.NEVER_WRITTEN : ticks.firstKey();
    }

    /** {@return the newest tick that is kept; {@link Snapshot#NEVER_WRITTEN} if there is none} */
    public long newestTick() {
        return ticks.isEmpty() ? Snapshot.NEVER_WRITTEN : ticks.lastKey();
    }

    /**
     * {@return a past moment as views without a look-ahead have shown it, valid until the next call}
     *
     * @param tick  the tick before the moment, or at it
     * @param alpha how far the moment is after that tick, in ticks from 0 to 1
     * @throws IllegalArgumentException if {@code alpha} is out of its range, or a tick that is needed is not kept
     */
    public ShownWorld at(long tick, float alpha) {
        boolean atNewest = tick == newestTick() && alpha == 0; // no next tick: show alpha 1 of the tick before
        long first = atNewest ? tick - 1 : tick;
        if (!read(first, previous) || !read(first + 1, current)) {
            throw new IllegalArgumentException(
                    "tick " + tick + " + " + alpha + " needs ticks " + first + " and " + (first + 1)
                            + (ticks.isEmpty()
                                    ? ", but none was added yet; add(window) those that come"
                                    : ", but kept are " + ticks.size() + " of " + oldestTick() + " to " + newestTick()
                                            + "; keep more, or add every tick"));
        }
        interpolator.show(previous, current, atNewest ? 1 : alpha);
        return interpolator;
    }

    /**
     * Overwrites a snapshot with a tick. Velocities, channels, quarantine and spawn ticks are not kept.
     *
     * @param tick its number
     * @param into a snapshot of {@link PoseLayout#PLAIN}
     * @return false if that tick is not kept
     */
    public boolean read(long tick, WritableSnapshot into) {
        Objects.requireNonNull(into, "into must not be null; pass a snapshot of your own");
        KeptTick kept = ticks.get(tick);
        if (kept == null) {
            return false;
        }
        into.startTick(tick, kept.dueNanos);
        into.simulationTick(kept.simulationTick);
        into.publishedAt(kept.publishedNanos);
        into.origin(kept.originX, kept.originY, kept.originZ);
        into.ensureRoom(kept.room);
        into.resize(kept.slotCount);
        for (int b = 0; b < kept.poses.length; b++) {
            int slots = kept.bodies[b].slots();
            float[][] target = components(into.poses().block(b));
            for (int component = 0; component < POSE; component++) {
                System.arraycopy(kept.poses[b].floats, component * slots, target[component], 0, slots);
            }
            into.motion(b).resetMotion(tick, slots);
            if (kept.poses[b].version == tick) {
                kept.poses[b].writeMotion(into.motion(b), slots);
            }
            kept.bodies[b].write(into.bodyBlock(b));
            into.bodyBlock(b).changedAt(tick);
        }
        return true;
    }

    /** {@return how much memory the poses and bodies take} */
    public long bytes() {
        return bytes;
    }

    private static float[][] components(PoseBlock block) {
        return new float[][] {block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw};
    }

    /** A kept tick. Consecutive ticks share the blocks that have not changed between them. */
    private static final class KeptTick {

        final long simulationTick;
        final long dueNanos;
        final long publishedNanos;
        final double originX;
        final double originY;
        final double originZ;
        final int slotCount;

        /**
         * The number of slots that the first block has room for. It may be more than {@link #slotCount}, because a body that despawned in
         * this tick still has a motion break in its former slot.
         */
        final int room;

        final KeptPoses[] poses;
        final KeptBodies[] bodies;

        KeptTick(Snapshot source, KeptPoses[] poses, KeptBodies[] bodies) {
            simulationTick = source.simulationTick();
            dueNanos = source.dueNanos();
            publishedNanos = source.publishedNanos();
            originX = source.originX();
            originY = source.originY();
            originZ = source.originZ();
            slotCount = source.poses().slotCount();
            room = slotCount == 0 ? 0 : source.poses().block(0).room();
            this.poses = poses;
            this.bodies = bodies;
        }
    }

    private record Break(MotionBreaks.Kind kind, int index, float x, float y, float z) {

        private static final Break[] NONE = {};

        static Break[] of(MotionBreaks breaks) {
            if (breaks.count() == 0) {
                return NONE;
            }
            Break[] kept = new Break[breaks.count()];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = new Break(breaks.kind(i), breaks.index(i), breaks.x(i), breaks.y(i), breaks.z(i));
            }
            return kept;
        }
    }

    /** The poses of a block, component by component, and how they changed in the tick {@link #version}. */
    private static final class KeptPoses {

        final float[] floats;
        Break[] breaks = Break.NONE;
        long version;
        int users;

        KeptPoses(int slots) {
            floats = new float[FLOATS * slots];
        }

        long bytes() {
            return (long) Float.BYTES * floats.length;
        }

        void writeMotion(MotionBlock into, int slots) {
            for (int i = 0; i < slots; i++) {
                into.turned(i, floats[POSE * slots + i]);
            }
            for (Break kept : breaks) {
                into.breaks().add(kept.kind, kept.index, kept.x, kept.y, kept.z);
            }
        }
    }

    private static final class KeptBodies {

        final long version;
        private final int[] generation;
        private final long[] userData;
        private final int[] teleports;
        private final long[] parents;

        /** The ticks of the last reshapes; empty if no body has one. */
        private final long[] reshapes;

        /** The offsets of the centres of mass from the positions, x, y and z for each body; empty if all are 0. */
        private final float[] centres;

        int users;

        KeptBodies(BodyBlock source, int slots) {
            version = source.changedTick();
            generation = Arrays.copyOf(source.generation, slots);
            userData = Arrays.copyOf(source.userData, slots);
            teleports = Arrays.copyOf(source.teleports, slots);
            parents = new long[source.childCount() > 0 ? slots : 0];
            Arrays.setAll(parents, source::parent);
            reshapes = new long[source.reshapedCount() > 0 ? slots : 0];
            Arrays.setAll(reshapes, source::reshapedTick);
            centres = new float[source.offCentreCount() > 0 ? AXES * slots : 0];
            for (int i = 0; i < centres.length; i++) {
                centres[i] = source.centreOfMass(i / AXES, i % AXES);
            }
        }

        int slots() {
            return generation.length;
        }

        long bytes() {
            return (long) (2 * Integer.BYTES + Long.BYTES) * generation.length
                    + (long) Long.BYTES * (parents.length + reshapes.length)
                    + (long) Float.BYTES * centres.length;
        }

        void write(BodyBlock into) {
            into.clear();
            for (int i = 0; i < generation.length; i++) {
                if (BodyId.isLive(generation[i])) {
                    into.spawn(i, generation[i], version, userData[i]);
                    into.teleports[i] = teleports[i];
                }
            }
            for (int i = 0; i < parents.length; i++) {
                into.parent(i, parents[i]);
            }
            for (int i = 0; i < reshapes.length; i++) {
                into.reshape(i, reshapes[i]);
            }
            for (int i = 0; i < centres.length; i += AXES) {
                into.centreOfMass(i / AXES, centres[i], centres[i + 1], centres[i + 2]);
            }
        }
    }
}
