package dev.escapement.state.capture;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
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

/** Makes random calls that a simulation may make, and checks each snapshot against a map of its bodies. */
public final class RandomSimulation implements Capture.Source {

    private static final int MAX_BODIES = 3000;

    private static final double[] NO_JUMP = {0, 0, 0};

    private static final float[][] ROTATIONS = {{0, 0, 0, 1}, {0, 0, 0.6f, 0.8f}, {0.6f, 0, 0, 0.8f}};

    private static final class Body {

        private final long id;
        private final long userData;
        private final long sinceTick;
        private final float[] channels;

        /** The position in the world in metres: multiples of 1/8, so that no origin rounds them. */
        private final double[] position = new double[3];

        private float[] rotation = {0, 0, 0, 1};
        private int teleports;
        private long reshapedTick;
        private long writtenTick;

        Body(long id, long userData, long sinceTick, int channels) {
            this.id = id;
            this.userData = userData;
            this.sinceTick = sinceTick;
            this.channels = new float[channels];
        }
    }

    private final int channels;
    private final SplittableRandom random;
    private final TreeMap<Integer, Body> bodies = new TreeMap<>();
    private final BitSet snapping = new BitSet();
    private final Set<Long> uniqueIds = new HashSet<>();

    /** For each block, the ticks in which its poses and its bodies changed last. */
    private final long[] posesChanged = new long[2 * MAX_BODIES / PoseBlock.CAPACITY];

    private final long[] bodiesChanged = posesChanged.clone();
    private double[] origin = new double[3];
    private int blocksBefore;

    // State of the current tick.
    private long tick;

    private final BitSet broken = new BitSet();
    private final Map<Integer, double[]> jumps = new HashMap<>();

    public RandomSimulation(PoseLayout layout, long seed) {
        channels = layout.channels().size();
        random = new SplittableRandom(seed);
    }

    @Override
    public void capture(PoseWriter poses) {
        tick++;
        broken.clear();
        jumps.clear();
        if (oneIn(8)) {
            return; // no body moves
        }
        if (oneIn(20)) {
            shiftOrigin(poses);
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

    private void shiftOrigin(PoseWriter poses) {
        double[] next = origin.clone();
        for (int axis = 0; axis < 3; axis++) {
            next[axis] += oneIn(3) ? 0 : random.nextInt(-16_000, 16_000) / 8.0;
        }
        if (!Arrays.equals(next, origin)) {
            Arrays.fill(posesChanged, tick);
        }
        origin = next;
        poses.origin(next[0], next[1], next[2]);
    }

    private void comeAndGo(PoseWriter poses) {
        switch (random.nextInt(6)) {
            case 0 -> spawn(poses, random.nextInt(900));
            case 1 -> despawnFrom(poses, random.nextInt(MAX_BODIES), 1);
            case 2 -> despawnFrom(poses, 0, 4);
            default -> {
                for (int i = random.nextInt(8); i > 0 && !bodies.isEmpty(); i--) {
                    despawn(poses, anySlot());
                }
                spawn(poses, random.nextInt(12)); // reuses slots
            }
        }
    }

    private void spawn(PoseWriter poses, int count) {
        for (int i = 0; i < count && bodies.size() < MAX_BODIES; i++) {
            long userData = random.nextLong();
            long id = poses.spawn(userData);
            int slot = BodyId.slot(id);
            require(uniqueIds.add(id) && BodyId.isLive(BodyId.generation(id)), "the id", slot);
            require(!bodies.containsKey(slot), "no body", slot);
            bodies.put(slot, new Body(id, userData, tick, channels));
            changed(slot);
        }
    }

    private void despawnFrom(PoseWriter poses, int first, int chances) {
        for (int slot : List.copyOf(bodies.tailMap(first).keySet())) {
            if (oneIn(chances)) {
                despawn(poses, slot);
            }
        }
    }

    private void despawn(PoseWriter poses, int slot) {
        poses.despawn(bodyOf(slot).id);
        bodies.remove(slot);
        snapping.clear(slot);
        changed(slot);
    }

    /** Records that the slot has another body, or that its body teleported. Both break the motion. */
    private void changed(int slot) {
        broken.set(slot);
        posesChanged[slot >>> PoseBlock.SHIFT] = tick;
        bodiesChanged[slot >>> PoseBlock.SHIFT] = tick;
    }

    private void report(PoseWriter poses, int slot) {
        Body body = bodyOf(slot);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> setRun(poses, slot, oneIn(2) ? 1 : random.nextInt(60));
            case 3 -> setRun(poses, slot & -PoseBlock.CAPACITY, PoseBlock.CAPACITY);
            case 4 -> {
                poses.teleport(slot);
                body.teleports++;
                changed(slot);
            }
            case 5, 6 -> teleportBy(poses, slot);
            case 7 -> {
                boolean isBlended = random.nextBoolean();
                poses.blended(slot, isBlended);
                snapping.set(slot, !isBlended);
            }
            case 8 -> {
                poses.reshape(slot);
                body.reshapedTick = body.sinceTick == tick ? 0 : tick;
                bodiesChanged[slot >>> PoseBlock.SHIFT] = tick;
            }
            default -> {
                for (int channel = 0; channel < channels; channel++) {
                    body.channels[channel] = random.nextInt(1000);
                    poses.channel(slot, channel, body.channels[channel]);
                    posesChanged[slot >>> PoseBlock.SHIFT] = tick;
                }
            }
        }
    }

    /** Sets the poses of bodies in consecutive slots from {@code first} on, until one already has a pose of this tick. */
    private void setRun(PoseWriter poses, int first, int max) {
        int count = 0;
        while (count < max && isUnset(first + count)) {
            count++;
        }
        float[] positions = new float[3 * count];
        float[] rotations = new float[4 * count];
        for (int i = 0; i < count; i++) {
            float[] q = ROTATIONS[random.nextInt(ROTATIONS.length)];
            float[] p = {random.nextInt(-8000, 8000) / 8f, random.nextInt(-80, 80) / 8f, random.nextInt(100)};
            System.arraycopy(p, 0, positions, 3 * i, 3);
            System.arraycopy(q, 0, rotations, 4 * i, 4);
            Body body = bodyOf(first + i);
            Arrays.setAll(body.position, axis -> origin[axis] + p[axis]);
            body.rotation = q;
            body.writtenTick = tick;
            posesChanged[(first + i) >>> PoseBlock.SHIFT] = tick;
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

    private void teleportBy(PoseWriter poses, int slot) {
        boolean wasBroken = broken.get(slot);
        double[] sum = jumps.computeIfAbsent(slot, s -> new double[3]);
        for (int i = random.nextInt(3); i > 0; i--) {
            float[] jump = {random.nextInt(-100, 100), random.nextInt(10), random.nextInt(10)};
            poses.teleportBy(slot, jump[0], jump[1], jump[2]);
            bodyOf(slot).teleports++;
            Arrays.setAll(sum, axis -> sum[axis] + jump[axis]);
            changed(slot);
        }
        broken.set(slot, wasBroken); // a teleport by a distance breaks no motion
    }

    public void check(Snapshot snapshot) {
        Bodies found = snapshot.bodies();
        require(snapshot.tick() == tick && found.count() == bodies.size(), "bodies", found.count());
        require(found.slotCount() == slotCount(), "slots", found.slotCount());
        double[] shown = {snapshot.originX(), snapshot.originY(), snapshot.originZ()};
        require(Arrays.equals(shown, origin), "origin at tick", (int) tick);
        for (int slot = -1; slot <= slotCount(); slot++) {
            require(found.exists(slot) == bodies.containsKey(slot), "exists", slot);
        }
        bodies.forEach((slot, body) -> {
            checkBody(snapshot, slot, body);
            checkPose(snapshot, slot, body);
        });
        for (long id : uniqueIds) {
            Body body = bodies.get(BodyId.slot(id));
            require(found.exists(id) == (body != null && body.id == id), "exists by id", BodyId.slot(id));
        }
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            checkBlock(snapshot, b);
        }
        blocksBefore = snapshot.poses().blockCount();
    }

    private static void checkBody(Snapshot snapshot, int slot, Body body) {
        Bodies found = snapshot.bodies();
        require(found.id(slot) == body.id && found.exists(body.id), "id", slot);
        require(found.userData(slot) == body.userData, "user data", slot);
        require(found.teleports(slot) == body.teleports, "teleports", slot);
        BodyBlock block = snapshot.bodyBlock(slot >>> PoseBlock.SHIFT);
        require(block.sinceTick[slot & PoseBlock.MASK] == body.sinceTick, "spawn tick", slot);
        require(block.reshapedTick(slot & PoseBlock.MASK) == body.reshapedTick, "last reshape", slot);
    }

    private void checkPose(Snapshot snapshot, int slot, Body body) {
        PoseBlock block = snapshot.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        double[] place = {origin[0] + block.px[i], origin[1] + block.py[i], origin[2] + block.pz[i]};
        require(Arrays.equals(place, body.position), "position", slot);
        float[] q = {block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
        require(Arrays.equals(q, body.rotation), "rotation", slot);
        for (int c = 0; c < channels; c++) {
            require(block.channels[c][i] == body.channels[c], "channel", slot);
        }
    }

    private void checkBlock(Snapshot snapshot, int b) {
        if (b >= blocksBefore) {
            posesChanged[b] = tick;
            bodiesChanged[b] = tick;
        }
        require(snapshot.motion(b).changedTick() == posesChanged[b], "version of the poses of block", b);
        require(snapshot.bodyBlock(b).changedTick() == bodiesChanged[b], "version of the bodies of block", b);
        if (posesChanged[b] < tick) {
            return;
        }
        MotionBreaks breaks = snapshot.motion(b).breaks();
        BitSet found = new BitSet();
        double[][] shifts = new double[PoseBlock.CAPACITY][3];
        for (int s = 0; s < breaks.count(); s++) {
            float[] shift = {breaks.x(s), breaks.y(s), breaks.z(s)};
            double[] sum = shifts[breaks.index(s)];
            Arrays.setAll(sum, axis -> sum[axis] + shift[axis]);
            found.set(breaks.index(s), found.get(breaks.index(s)) || breaks.kind(s) == MotionBreaks.Kind.BROKEN);
        }
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            boolean isBroken = broken.get(slot) || snapping.get(slot);
            require(found.get(i) == isBroken, "broken", slot);
            Body body = bodies.get(slot);
            boolean isStill = body != null && body.writtenTick != tick;
            require(!isStill || snapshot.motion(b).turn[i] == 0, "turn of a body that was not moved", slot);
            require(isBroken || Arrays.equals(shifts[i], jumps.getOrDefault(slot, NO_JUMP)), "jump", slot);
        }
    }

    private static void require(boolean condition, String what, int number) {
        if (!condition) {
            throw new AssertionError(what + " " + number);
        }
    }
}
