package dev.escapement.state.capture.model;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes random calls that a simulation may make, and checks each snapshot against a map of its bodies. */
public final class RandomSimulation implements Capture.Source {

    private static final int MAX_BODIES = 3000;

    /** Length of a phase in ticks: bad poses come in its first half only, so good ones replace them before the second half. */
    private static final int PHASE = 60;

    /** Marks a body counted in this tick, whose id {@link #check} reads from the snapshot. */
    private static final long UNKNOWN = 0;

    private static final double[] NO_JUMP = {0, 0, 0};

    private static final class Body {

        private final long userData;
        private final long sinceTick;
        private final float[] channels;

        /** The position in the world in metres: multiples of 1/8, so that no origin rounds them. */
        private final double[] position = new double[3];

        private float[] rotation = {0, 0, 0, 1};
        private long id;
        private int teleports;
        private boolean isQuarantined;
        private long writtenTick;
        private double turn;

        Body(long id, long userData, long sinceTick, int channels) {
            this.id = id;
            this.userData = userData;
            this.sinceTick = sinceTick;
            this.channels = new float[channels];
        }
    }

    private final int channels;
    private final boolean counts;
    private final SplittableRandom random;
    private final TreeMap<Integer, Body> bodies = new TreeMap<>();
    private final BitSet snapping = new BitSet();
    private final List<Long> reserved = new ArrayList<>();
    private final List<Long> givenIds = new ArrayList<>();
    private final Set<Long> uniqueIds = new HashSet<>();
    private double[] origin = new double[3];
    private @Nullable Snapshot before;

    // State of the current tick.
    private long tick;
    private boolean originShifts;

    /** The number of counted bodies. The end of the tick despawns those from this slot on, unless {@code bodyCount} is called again. */
    private int counted;

    private final Set<Integer> changedPoses = new HashSet<>();
    private final Set<Integer> changedBodies = new HashSet<>();
    private final BitSet broken = new BitSet();
    private final Map<Integer, double[]> jumps = new HashMap<>();

    /** Creates a simulation. With {@code counts} it mostly counts its bodies, otherwise it spawns and despawns them. */
    public RandomSimulation(PoseLayout layout, boolean counts, long seed) {
        channels = layout.channels().size();
        this.counts = counts;
        random = new SplittableRandom(seed);
    }

    /** Reserves and releases ids between two ticks. */
    void reserve(Capture capture) {
        for (int i = oneIn(3) ? random.nextInt(150) : random.nextInt(4); i > 0; i--) {
            reserved.add(given(capture.reserve()));
        }
        for (int i = Math.min(reserved.size(), random.nextInt(3)); i > 0; i--) {
            capture.release(anyReserved());
            if (oneIn(4)) {
                capture.freeReleased(); // as in a paused world; the next id may reuse the slot
            }
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        tick++;
        originShifts = false;
        counted = Integer.MAX_VALUE;
        changedPoses.clear();
        changedBodies.clear();
        broken.clear();
        jumps.clear();
        if (oneIn(8)) {
            return; // no body moves
        }
        if (oneIn(20)) {
            shiftOrigin(poses);
        }
        if (tick % PHASE == PHASE / 2) {
            bodies.keySet().stream().filter(slot -> bodyOf(slot).isQuarantined).forEach(slot -> setRun(poses, slot, 1));
        }
        if (oneIn(4)) {
            setRun(poses, 0, MAX_BODIES);
        }
        for (int steps = oneIn(3) ? 1 : random.nextInt(25); steps > 0; steps--) {
            if (oneIn(5)) {
                comeAndGo(poses);
            } else if (!bodies.isEmpty()) {
                report(poses, anySlot());
            }
        }
        for (int slot : List.copyOf(bodies.keySet())) {
            if (bodyOf(slot).sinceTick == tick) {
                setRun(poses, slot, oneIn(2) ? 1 : 100);
            }
        }
        endCount();
    }

    private boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    private Body bodyOf(int slot) {
        return Objects.requireNonNull(bodies.get(slot));
    }

    private int slotCount() {
        return bodies.isEmpty() ? 0 : bodies.lastKey() + 1;
    }

    private int anySlot() {
        return Objects.requireNonNull(bodies.ceilingKey(random.nextInt(slotCount())));
    }

    private long anyReserved() {
        return reserved.remove(random.nextInt(reserved.size()));
    }

    private long given(long id) {
        require(uniqueIds.add(id) && BodyId.isLive(BodyId.generation(id)), "the id", BodyId.slot(id));
        givenIds.add(id);
        return id;
    }

    private void shiftOrigin(PoseWriter poses) {
        double[] next = origin.clone();
        for (int axis = 0; axis < 3; axis++) {
            next[axis] += oneIn(3) ? 0 : random.nextInt(-16_000, 16_000) / 8.0;
            originShifts |= next[axis] != origin[axis];
        }
        origin = next;
        poses.origin(next[0], next[1], next[2]);
    }

    private void comeAndGo(PoseWriter poses) {
        if (!reserved.isEmpty() && oneIn(2)) {
            useReserved(poses);
        } else if (counts && !oneIn(6)) {
            boolean hasGaps = slotCount() > bodies.size();
            if (!hasGaps) {
                count(poses, oneIn(3) ? random.nextInt(MAX_BODIES) : slotCount() + random.nextInt(-40, 41));
            }
        } else if (counts) {
            despawn(poses, random.nextInt(3));
            spawn(poses, oneIn(3) ? 1 : slotCount() - bodies.size() + 1); // mostly leaves no gap
        } else {
            switch (random.nextInt(8)) {
                case 0 -> spawn(poses, random.nextInt(900));
                case 1, 2 -> spawn(poses, random.nextInt(20));
                case 3 -> despawnFrom(poses, random.nextInt(MAX_BODIES), 1);
                case 4 -> despawnFrom(poses, 0, 4);
                case 5, 6 -> {
                    despawn(poses, 1);
                    spawn(poses, 1); // reuses the slot
                }
                default -> despawn(poses, random.nextInt(8));
            }
        }
    }

    private void useReserved(PoseWriter poses) {
        for (int i = oneIn(3) ? reserved.size() : Math.min(reserved.size(), random.nextInt(5)); i > 0; i--) {
            long id = anyReserved();
            if (oneIn(6) || bodies.size() >= MAX_BODIES) {
                poses.despawn(id); // releases the slot in this tick
            } else {
                long userData = random.nextLong();
                poses.spawn(id, userData);
                spawned(BodyId.slot(id), id, userData);
            }
        }
    }

    private void count(PoseWriter poses, int bodyCount) {
        counted = Math.max(0, bodyCount);
        poses.bodyCount(counted);
        for (int slot = bodies.size(); slot < counted; slot++) {
            spawned(slot, UNKNOWN, 0);
        }
    }

    private void spawn(PoseWriter poses, int count) {
        endCount();
        for (int i = 0; i < count && bodies.size() < MAX_BODIES; i++) {
            long userData = random.nextLong();
            long id = given(poses.spawn(userData));
            spawned(BodyId.slot(id), id, userData);
        }
    }

    private void spawned(int slot, long id, long userData) {
        require(!bodies.containsKey(slot), "no body", slot);
        bodies.put(slot, new Body(id, userData, tick, channels));
        broken.set(slot);
        changed(slot);
    }

    private void despawn(PoseWriter poses, int count) {
        for (int i = 0; i < count && !bodies.isEmpty(); i++) {
            despawnOne(poses, anySlot());
        }
    }

    private void despawnFrom(PoseWriter poses, int first, int chances) {
        for (int slot : List.copyOf(bodies.tailMap(first).keySet())) {
            if (oneIn(chances)) {
                despawnOne(poses, slot);
            }
        }
    }

    private void despawnOne(PoseWriter poses, int slot) {
        long id = bodyOf(slot).id;
        if (id != UNKNOWN) {
            poses.despawn(id);
            despawned(slot);
        }
    }

    private void despawned(int slot) {
        bodies.remove(slot);
        snapping.clear(slot);
        broken.set(slot);
        changed(slot);
    }

    private void endCount() {
        for (int slot = slotCount() - 1; slot >= counted; slot--) {
            despawned(slot);
        }
        counted = Integer.MAX_VALUE;
    }

    private void changed(int slot) {
        changedPoses.add(slot >>> PoseBlock.SHIFT);
        changedBodies.add(slot >>> PoseBlock.SHIFT);
    }

    private void report(PoseWriter poses, int slot) {
        if (slot >= counted) {
            return;
        }
        switch (random.nextInt(12)) {
            case 0, 1 -> setRun(poses, slot, 1);
            case 2, 3 -> setRun(poses, slot, random.nextInt(60));
            case 4 -> setRun(poses, slot & -PoseBlock.CAPACITY, PoseBlock.CAPACITY);
            case 5 -> setRun(poses, 0, MAX_BODIES);
            case 6 -> setBad(poses, slot);
            case 7 -> {
                poses.teleport(slot);
                bodyOf(slot).teleports++;
                broken.set(slot);
                changed(slot);
            }
            case 8, 9 -> {
                for (int i = random.nextInt(3); i > 0; i--) {
                    teleportBy(poses, slot);
                }
            }
            case 10 -> {
                boolean isBlended = random.nextBoolean();
                poses.blended(slot, isBlended);
                snapping.set(slot, !isBlended);
            }
            default -> {
                for (int channel = 0; channel < channels; channel++) {
                    float value = random.nextInt(1000);
                    poses.channel(slot, channel, value);
                    bodyOf(slot).channels[channel] = value;
                    changedPoses.add(slot >>> PoseBlock.SHIFT);
                }
            }
        }
    }

    /** Sets the poses of the bodies from {@code first} up to the first one that has a pose: one by one or all at once. */
    private void setRun(PoseWriter poses, int first, int max) {
        int count = 0;
        while (count < max && first + count < counted && isUnset(first + count)) {
            count++;
        }
        boolean hasDrifted = oneIn(3);
        float[] positions = new float[3 * count];
        float[] rotations = new float[4 * count];
        for (int i = 0; i < count; i++) {
            float[] q = Quaternions.random(random);
            float[] p = {random.nextInt(-8000, 8000) / 8f, random.nextInt(-80, 80) / 8f, random.nextInt(100)};
            set(first + i, p, q);
            float[] written = hasDrifted && i == count / 2 ? Quaternions.scaled(q, random.nextDouble(0.97, 1.03)) : q;
            System.arraycopy(p, 0, positions, 3 * i, 3);
            System.arraycopy(written, 0, rotations, 4 * i, 4);
        }
        if (count == 1) {
            float[] q = rotations;
            poses.set(first, positions[0], positions[1], positions[2], q[0], q[1], q[2], q[3]);
        } else {
            poses.setAll(first, count, positions, rotations);
        }
    }

    private boolean isUnset(int slot) {
        Body body = bodies.get(slot);
        return body != null && body.writtenTick != tick;
    }

    private void set(int slot, float[] place, float[] rotation) {
        Body body = bodyOf(slot);
        for (int axis = 0; axis < 3; axis++) {
            body.position[axis] = origin[axis] + place[axis];
        }
        body.turn = body.sinceTick == tick ? 0 : Math.abs(Quaternions.dot(body.rotation, rotation)) - 1;
        body.rotation = rotation;
        written(slot, false);
    }

    private void setBad(PoseWriter poses, int slot) {
        if (!isUnset(slot) || tick % PHASE >= PHASE / 2) {
            return;
        }
        boolean isBadPlace = random.nextBoolean();
        poses.set(slot, isBadPlace ? Float.NaN : 1, 2, 3, isBadPlace ? 0 : Float.POSITIVE_INFINITY, 0, 0, 1);
        Body body = bodyOf(slot);
        if (body.sinceTick == tick) {
            System.arraycopy(origin, 0, body.position, 0, 3);
        }
        body.turn = 0;
        written(slot, true);
    }

    private void written(int slot, boolean isBad) {
        Body body = bodyOf(slot);
        body.writtenTick = tick;
        changedPoses.add(slot >>> PoseBlock.SHIFT);
        if (body.isQuarantined != isBad) {
            body.isQuarantined = isBad;
            changedBodies.add(slot >>> PoseBlock.SHIFT);
        }
    }

    private void teleportBy(PoseWriter poses, int slot) {
        float[] jump = {random.nextInt(-100, 100), random.nextInt(10), random.nextInt(10)};
        poses.teleportBy(slot, jump[0], jump[1], jump[2]);
        bodyOf(slot).teleports++;
        double[] sum = jumps.computeIfAbsent(slot, s -> new double[3]);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += jump[axis];
        }
        changed(slot);
    }

    /** Checks the snapshot of the last tick. Call it after every tick. */
    public void check(Snapshot snapshot) {
        Bodies found = snapshot.bodies();
        require(snapshot.tick() == tick && found.count() == bodies.size(), "bodies", found.count());
        require(found.slotCount() == slotCount(), "slots", found.slotCount());
        require(snapshot.originX() == origin[0], "origin x", 0);
        require(snapshot.originY() == origin[1], "origin y", 0);
        require(snapshot.originZ() == origin[2], "origin z", 0);
        for (int slot = -1; slot <= slotCount(); slot++) {
            require(found.exists(slot) == bodies.containsKey(slot), "exists", slot);
        }
        bodies.forEach((slot, body) -> {
            if (body.id == UNKNOWN) {
                body.id = given(found.id(slot));
            }
            checkBody(snapshot, slot, body);
            checkPose(snapshot, slot, body);
        });
        for (int i = 0; i < 50 && !givenIds.isEmpty(); i++) {
            long id = givenIds.get(random.nextInt(givenIds.size()));
            Body body = bodies.get(BodyId.slot(id));
            require(found.exists(id) == (body != null && body.id == id), "exists by id", BodyId.slot(id));
        }
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            checkVersions(snapshot, b);
            if (snapshot.motion(b).changedTick() == tick) {
                checkBreaks(snapshot, b);
            }
        }
        before = snapshot;
    }

    private static void checkBody(Snapshot snapshot, int slot, Body body) {
        Bodies found = snapshot.bodies();
        require(found.id(slot) == body.id && found.exists(body.id), "id", slot);
        require(found.userData(slot) == body.userData, "user data", slot);
        require(found.teleports(slot) == body.teleports, "teleports", slot);
        require(found.isQuarantined(slot) == body.isQuarantined, "quarantined", slot);
        long[] sinceTicks = snapshot.bodyBlock(slot >>> PoseBlock.SHIFT).sinceTick;
        require(sinceTicks[slot & PoseBlock.MASK] == body.sinceTick, "spawn tick", slot);
    }

    private void checkPose(Snapshot snapshot, int slot, Body body) {
        PoseBlock block = snapshot.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        require(origin[0] + block.px[i] == body.position[0], "x", slot);
        require(origin[1] + block.py[i] == body.position[1], "y", slot);
        require(origin[2] + block.pz[i] == body.position[2], "z", slot);
        float[] q = {block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
        float[] expected = Quaternions.dot(q, body.rotation) < 0 ? Quaternions.negated(body.rotation) : body.rotation;
        for (int c = 0; c < 4; c++) {
            require(Math.abs(q[c] - expected[c]) < 1e-6, "rotation", slot);
        }
        for (int c = 0; c < channels; c++) {
            require(block.channels[c][i] == body.channels[c], "channel", slot);
        }
        MotionBlock motion = snapshot.motion(slot >>> PoseBlock.SHIFT);
        if (motion.changedTick() == tick && body.sinceTick < tick) {
            double turn = body.writtenTick == tick ? body.turn : 0;
            require(Math.abs(motion.turn[i] - turn) < 3e-6 && motion.turn[i] >= motion.leastTurn(), "turn", slot);
        }
    }

    private void checkVersions(Snapshot snapshot, int b) {
        Snapshot known = before != null && b < before.poses().blockCount() ? before : null;
        long poses = known == null || originShifts || changedPoses.contains(b)
                ? tick
                : known.motion(b).changedTick();
        long inBodies = known == null || changedBodies.contains(b)
                ? tick
                : known.bodyBlock(b).changedTick();
        require(snapshot.motion(b).changedTick() == poses, "version of the poses of block", b);
        require(snapshot.bodyBlock(b).changedTick() == inBodies, "version of the bodies of block", b);
    }

    private void checkBreaks(Snapshot snapshot, int b) {
        MotionBreaks breaks = snapshot.motion(b).breaks();
        BitSet found = new BitSet();
        double[][] shifts = new double[PoseBlock.CAPACITY][3];
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.kind(s) == MotionBreaks.Kind.BROKEN) {
                found.set(breaks.index(s));
            } else {
                double[] sum = shifts[breaks.index(s)];
                sum[0] += breaks.x(s);
                sum[1] += breaks.y(s);
                sum[2] += breaks.z(s);
            }
        }
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            boolean isBroken = broken.get(slot) || snapping.get(slot);
            require(found.get(i) == isBroken, "broken", slot);
            require(isBroken || Arrays.equals(shifts[i], jumpOf(slot)), "jump", slot);
        }
    }

    /** Returns the jump of a body; none if the body shows its last good pose. */
    private double[] jumpOf(int slot) {
        Body body = bodies.get(slot);
        boolean isReplaced = body != null && body.isQuarantined && body.writtenTick == tick;
        return isReplaced ? NO_JUMP : jumps.getOrDefault(slot, NO_JUMP);
    }

    private static void require(boolean condition, String what, int number) {
        if (!condition) {
            throw new AssertionError(what + " " + number);
        }
    }
}
