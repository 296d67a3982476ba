package dev.escapement.render.web;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.TreeMap;

/**
 * The poses of the latest ticks: for scrubbing back, and for a path of the last seconds.
 *
 * <p>Keeps id, user data, teleports and pose of each body, the origin, and when the tick was due and published. Blocks of
 * {@value PoseBlock#CAPACITY} bodies that have not changed from one tick to the next are kept once: a tick costs 28 bytes for each body of
 * a block that moves. Arrays of dropped ticks are used again, so that a full history of an unchanged world size allocates next to nothing.
 *
 * <p>One thread at a time.
 */
final class History {

    private static final int FLOATS = 7;
    private static final KeptTick NOTHING =
            new KeptTick(new Snapshot(PoseLayout.PLAIN), new KeptPoses[0], new KeptBodies[0]);

    private final int maxTicks;
    private final long maxBytes;
    private final TreeMap<Long, KeptTick> ticks = new TreeMap<>();

    /** Arrays of dropped ticks, free to be used again. */
    private final Deque<KeptPoses> free = new ArrayDeque<>();

    private long bytes;

    /** Keeps at most that many ticks, at least 1, in at most that much memory; the newest tick is always kept. */
    History(int maxTicks, long maxBytes) {
        this.maxTicks = maxTicks;
        this.maxBytes = maxBytes;
    }

    /** Copies a tick. Ticks may be missing; one that is not after the newest begins a new history. */
    void add(Snapshot snapshot) {
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
        for (int component = 0; component < FLOATS; component++) {
            System.arraycopy(source[component], 0, kept.floats, component * slots, slots);
        }
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

    /** The oldest tick that is kept; {@link Snapshot#NEVER_WRITTEN} if there is none. */
    long oldestTick() {
        return ticks.isEmpty() ? Snapshot.NEVER_WRITTEN : ticks.firstKey();
    }

    /** The newest tick that is kept; {@link Snapshot#NEVER_WRITTEN} if there is none. */
    long newestTick() {
        return ticks.isEmpty() ? Snapshot.NEVER_WRITTEN : ticks.lastKey();
    }

    /** Overwrites a snapshot with a tick. False if that is not kept. Velocities, channels, quarantine and spawn ticks are not kept. */
    boolean read(long tick, WritableSnapshot into) {
        KeptTick kept = ticks.get(tick);
        if (kept == null) {
            return false;
        }
        into.startTick(tick, kept.dueNanos);
        into.publishedAt(kept.publishedNanos);
        into.origin(kept.originX, kept.originY, kept.originZ);
        into.resize(kept.slotCount);
        for (int b = 0; b < kept.poses.length; b++) {
            int slots = kept.bodies[b].slots();
            float[][] target = components(into.poses().block(b));
            for (int component = 0; component < FLOATS; component++) {
                System.arraycopy(kept.poses[b].floats, component * slots, target[component], 0, slots);
            }
            into.motion(b).resetMotion(tick);
            kept.bodies[b].write(into.bodyBlock(b));
            into.bodyBlock(b).changedAt(tick);
        }
        return true;
    }

    /** How much memory the poses and bodies take. */
    long bytes() {
        return bytes;
    }

    private static float[][] components(PoseBlock block) {
        return new float[][] {block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw};
    }

    /** One tick; it shares blocks with other ticks. */
    private static final class KeptTick {

        final long dueNanos;
        final long publishedNanos;
        final double originX;
        final double originY;
        final double originZ;
        final int slotCount;
        final KeptPoses[] poses;
        final KeptBodies[] bodies;

        KeptTick(Snapshot source, KeptPoses[] poses, KeptBodies[] bodies) {
            dueNanos = source.dueNanos();
            publishedNanos = source.publishedNanos();
            originX = source.originX();
            originY = source.originY();
            originZ = source.originZ();
            slotCount = source.poses().slotCount();
            this.poses = poses;
            this.bodies = bodies;
        }
    }

    /** The poses of a block, component by component. */
    private static final class KeptPoses {

        final float[] floats;
        long version;
        int users;

        KeptPoses(int slots) {
            floats = new float[FLOATS * slots];
        }

        long bytes() {
            return (long) Float.BYTES * floats.length;
        }
    }

    /** The bodies in the slots of a block. */
    private static final class KeptBodies {

        final long version;
        private final int[] generation;
        private final long[] userData;
        private final int[] teleports;
        int users;

        KeptBodies(BodyBlock source, int slots) {
            version = source.changedTick();
            generation = Arrays.copyOf(source.generation, slots);
            userData = Arrays.copyOf(source.userData, slots);
            teleports = Arrays.copyOf(source.teleports, slots);
        }

        int slots() {
            return generation.length;
        }

        long bytes() {
            return (long) (2 * Integer.BYTES + Long.BYTES) * generation.length;
        }

        void write(BodyBlock into) {
            into.clear();
            for (int i = 0; i < generation.length; i++) {
                if (BodyId.isLive(generation[i])) {
                    into.spawn(i, generation[i], version, userData[i]);
                    into.teleports[i] = teleports[i];
                }
            }
        }
    }
}
