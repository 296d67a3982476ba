package dev.escapement.state.capture.model;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;

/** Makes the same calls to the writer and the model, and checks the answers of the writer. Valid in one tick. */
final class ModelledWriter {

    private static final long UNKNOWN = 0;

    private final PoseWriter poses;
    private final WorldModel model;
    private final GivenIds givenIds;
    private int counted = Integer.MAX_VALUE;

    ModelledWriter(PoseWriter poses, WorldModel model, GivenIds givenIds) {
        this.poses = poses;
        this.model = model;
        this.givenIds = givenIds;
    }

    /** Whether calls for a body are allowed: it exists and is not beyond those that are counted. */
    boolean has(int slot) {
        return model.exists(slot) && slot < counted;
    }

    int spawn(long userData) {
        end(); // counting is over, too
        counted = Integer.MAX_VALUE;
        long id = poses.spawn(userData);
        int slot = poses.slotOf(id);
        require(!model.exists(slot), "slot " + slot + " is taken");
        givenIds.add(id, slot);
        model.spawn(slot, id, userData);
        return slot;
    }

    void spawnReserved(long id, long userData) {
        int slot = BodyId.slot(id);
        require(!model.exists(slot), "slot " + slot + " is taken");
        poses.spawn(id, userData);
        require(poses.slotOf(id) == slot, BodyId.toString(id) + " is in another slot");
        model.spawn(slot, id, userData);
        requireUnreserved(id);
    }

    /** An id that was reserved, and that no body will have. */
    void release(long id) {
        poses.despawn(id);
        requireUnreserved(id);
    }

    private void requireUnreserved(long id) {
        boolean refused = isRefused(IllegalArgumentException.class, () -> poses.spawn(id, 0));
        require(refused, BodyId.toString(id) + " was spawned a second time, or after it was released");
    }

    void despawn(int slot) {
        long id = model.body(slot).id;
        if (id == UNKNOWN) {
            return; // counted in this tick: its id is not known yet
        }
        poses.despawn(id);
        model.despawn(slot);
        boolean refused = isRefused(IllegalArgumentException.class, () -> poses.despawn(id));
        require(refused, BodyId.toString(id) + " was despawned twice");
    }

    /** Refused while there are gaps. */
    void count(int bodies) {
        boolean gaps = model.slotCount() > model.bodyCount();
        boolean refused = isRefused(IllegalStateException.class, () -> poses.bodyCount(bodies));
        require(refused == gaps, "counted with gaps: " + gaps + ", refused: " + refused);
        if (!refused) {
            for (int slot = model.bodyCount(); slot < bodies; slot++) {
                model.spawn(slot, UNKNOWN, 0);
            }
            counted = bodies;
        }
    }

    void origin(double x, double y, double z) {
        poses.origin(x, y, z);
        model.origin(x, y, z);
    }

    void set(int slot, float[] p, float[] q) {
        poses.set(slot, p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
        model.set(slot, p, RandomPoses.normalised(q));
    }

    /** From a slot on all bodies that have no pose yet, up to the first gap. */
    void setRun(int first, int max, RandomPoses random, boolean drifted) {
        int count = 0;
        while (count < max && has(first + count) && !model.isWritten(first + count)) {
            count++;
        }
        float[] positions = new float[3 * count];
        float[] rotations = new float[4 * count];
        for (int i = 0; i < count; i++) {
            float[] p = random.place();
            float[] q = random.rotation(drifted && i == count / 2);
            System.arraycopy(p, 0, positions, 3 * i, 3);
            System.arraycopy(q, 0, rotations, 4 * i, 4);
            model.set(first + i, p, RandomPoses.normalised(q));
        }
        poses.setAll(first, count, positions, rotations);
    }

    void setAgain(int slot) {
        boolean refused = isRefused(IllegalStateException.class, () -> poses.set(slot, 0, 0, 0, 0, 0, 0, 1));
        require(refused, "body " + slot + " was set twice");
    }

    void setBad(int slot, boolean badPlace) {
        poses.set(slot, badPlace ? Float.NaN : 1, 2, 3, badPlace ? 0 : Float.POSITIVE_INFINITY, 0, 0, 1);
        model.setBad(slot);
    }

    void teleport(int slot) {
        poses.teleport(slot);
        model.teleport(slot);
    }

    void teleportBy(int slot, float[] jump) {
        poses.teleportBy(slot, jump[0], jump[1], jump[2]);
        model.teleportBy(slot, jump);
    }

    void blended(int slot, boolean blended) {
        poses.blended(slot, blended);
        model.blended(slot, blended);
    }

    void channel(int slot, int channel, float value) {
        poses.channel(slot, channel, value);
        model.channel(slot, channel, value);
    }

    /** Ends the tick: bodies that were not counted are despawned. */
    void end() {
        for (int slot = model.slotCount() - 1; slot >= counted; slot--) {
            model.despawn(slot);
        }
    }

    /** The ids of bodies that were counted and not spawned one by one: any that were never given before. */
    static void learnIds(WorldModel model, Snapshot snapshot, GivenIds givenIds) {
        for (int slot : model.slots()) {
            ModelBody body = model.body(slot);
            if (body.id == UNKNOWN) {
                body.id = snapshot.bodies().id(slot);
                givenIds.add(body.id, slot);
            }
        }
    }

    private static boolean isRefused(Class<? extends RuntimeException> type, Runnable call) {
        try {
            call.run();
            return false;
        } catch (RuntimeException refusal) {
            if (type.isInstance(refusal)) {
                return true;
            }
            throw refusal;
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
