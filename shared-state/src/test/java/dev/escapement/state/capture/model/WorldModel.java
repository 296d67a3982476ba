package dev.escapement.state.capture.model;

import dev.escapement.state.snapshot.PoseBlock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the calls of a simulation mean, one map of bodies, written down again in every tick. */
final class WorldModel {

    private final int channels;
    private final TreeMap<Integer, ModelBody> bodies = new TreeMap<>();
    private final BitSet snapping = new BitSet();
    private final List<Long> poseVersions = new ArrayList<>();
    private final List<Long> bodyVersions = new ArrayList<>();
    private List<Double> origin = List.of(0.0, 0.0, 0.0);

    // Of this tick.
    private long tick;
    private List<Double> originBefore = origin;
    private final Set<Integer> touchedPoses = new HashSet<>();
    private final Set<Integer> touchedBodies = new HashSet<>();
    private final BitSet broken = new BitSet();
    private final Map<Integer, double[]> jumps = new HashMap<>();

    WorldModel(int channels) {
        this.channels = channels;
    }

    void begin(long newTick) {
        tick = newTick;
        originBefore = origin;
        touchedPoses.clear();
        touchedBodies.clear();
        broken.clear();
        jumps.clear();
    }

    long tick() {
        return tick;
    }

    int slotCount() {
        return bodies.isEmpty() ? 0 : bodies.lastKey() + 1;
    }

    List<Integer> slots() {
        return List.copyOf(bodies.keySet());
    }

    int bodyCount() {
        return bodies.size();
    }

    boolean exists(int slot) {
        return bodies.containsKey(slot);
    }

    /** A slot with a body, the next after another one or the first. */
    int bodyFrom(int slot) {
        Integer next = bodies.ceilingKey(slot);
        return next == null ? bodies.firstKey() : next;
    }

    boolean exists(long id, int slot) {
        return exists(slot) && body(slot).id == id;
    }

    ModelBody body(int slot) {
        ModelBody body = bodies.get(slot);
        if (body == null) {
            throw new AssertionError("the model has no body " + slot);
        }
        return body;
    }

    boolean isWritten(int slot) {
        return body(slot).tick == tick && body(slot).written;
    }

    boolean originShifts() {
        return !origin.equals(originBefore);
    }

    List<Double> origin() {
        return origin;
    }

    void origin(double x, double y, double z) {
        origin = List.of(x, y, z);
    }

    void spawn(int slot, long id, long userData) {
        bodies.put(slot, new ModelBody(tick, channels, id, userData));
        broken.set(slot);
        touch(slot);
    }

    void despawn(int slot) {
        bodies.remove(slot);
        snapping.clear(slot);
        broken.set(slot);
        touch(slot);
    }

    void set(int slot, float[] place, float[] rotation) {
        ModelBody body = edit(slot);
        for (int axis = 0; axis < 3; axis++) {
            body.position[axis] = origin.get(axis) + place[axis];
        }
        body.tolerance = 0;
        body.turn = body.spawnTick == tick ? 0 : turn(body.rotation, rotation);
        body.rotation = rotation;
        written(slot, false);
    }

    void setBad(int slot) {
        ModelBody body = edit(slot);
        if (body.spawnTick == tick) {
            for (int axis = 0; axis < 3; axis++) {
                body.position[axis] = origin.get(axis);
            }
        }
        written(slot, true);
    }

    private void written(int slot, boolean quarantined) {
        ModelBody body = edit(slot);
        body.written = true;
        touchedPoses.add(slot >>> PoseBlock.SHIFT);
        if (body.quarantined != quarantined) {
            body.quarantined = quarantined;
            touchedBodies.add(slot >>> PoseBlock.SHIFT);
        }
    }

    void teleport(int slot) {
        edit(slot).teleports++;
        broken.set(slot);
        touch(slot);
    }

    void teleportBy(int slot, float[] jump) {
        edit(slot).teleports++;
        double[] sum = jumps.computeIfAbsent(slot, s -> new double[3]);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += jump[axis];
        }
        touch(slot);
    }

    void blended(int slot, boolean blended) {
        snapping.set(slot, !blended);
    }

    void channel(int slot, int channel, float value) {
        edit(slot).channels[channel] = value;
        touchedPoses.add(slot >>> PoseBlock.SHIFT);
    }

    /** What the tick left, once all its calls were made. */
    Moment end() {
        if (originShifts()) {
            slots().forEach(this::round);
        }
        bodies.forEach((slot, body) -> {
            if (body.written && body.quarantined) {
                jumps.remove(slot); // the pose that jumped was replaced by the last good one
            }
        });
        int blocks = (slotCount() + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        version(poseVersions, blocks, originShifts(), touchedPoses);
        version(bodyVersions, blocks, false, touchedBodies);
        return new Moment(
                tick,
                origin,
                new TreeMap<>(bodies),
                (BitSet) broken.clone(),
                (BitSet) snapping.clone(),
                Map.copyOf(jumps),
                List.copyOf(poseVersions),
                List.copyOf(bodyVersions));
    }

    private void version(List<Long> versions, int blocks, boolean all, Set<Integer> touched) {
        while (versions.size() > blocks) {
            versions.remove(versions.size() - 1);
        }
        for (int b = 0; b < versions.size(); b++) {
            if (all || touched.contains(b)) {
                versions.set(b, tick);
            }
        }
        while (versions.size() < blocks) {
            versions.add(tick);
        }
    }

    /** The body, as of this tick. */
    private ModelBody edit(int slot) {
        ModelBody body = body(slot);
        if (body.tick != tick) {
            body = body.at(tick);
            bodies.put(slot, body);
        }
        return body;
    }

    /** A body that stays where it was is measured from the new origin: that rounds its position once more. */
    private void round(int slot) {
        ModelBody body = edit(slot);
        if (!body.written || body.quarantined) {
            double farthest = 0;
            for (int axis = 0; axis < 3; axis++) {
                farthest = Math.max(farthest, Math.abs(body.position[axis] - origin.get(axis)));
                farthest = Math.max(farthest, Math.abs(originBefore.get(axis) - origin.get(axis)));
            }
            body.tolerance += Math.ulp((float) farthest);
        }
    }

    private void touch(int slot) {
        touchedPoses.add(slot >>> PoseBlock.SHIFT);
        touchedBodies.add(slot >>> PoseBlock.SHIFT);
    }

    private static double turn(float[] before, float[] now) {
        double dot = 0;
        for (int i = 0; i < 4; i++) {
            dot += (double) before[i] * now[i];
        }
        return Math.abs(dot) - 1;
    }
}
