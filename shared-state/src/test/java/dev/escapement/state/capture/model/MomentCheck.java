package dev.escapement.state.capture.model;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.BitSet;
import java.util.Map;

/** Compares a snapshot with the moment it shows. */
final class MomentCheck {

    private static final double[] NO_JUMP = {0, 0, 0};

    private final Snapshot snapshot;
    private final Moment moment;

    MomentCheck(Snapshot snapshot, Moment moment) {
        this.snapshot = snapshot;
        this.moment = moment;
    }

    void check() {
        require(snapshot.computeChecksum() == snapshot.checksum(), "checksum");
        require(snapshot.tick() == moment.tick(), "tick");
        require(snapshot.originX() == moment.origin().get(0), "origin x");
        require(snapshot.originY() == moment.origin().get(1), "origin y");
        require(snapshot.originZ() == moment.origin().get(2), "origin z");
        int slots = moment.slotCount();
        Bodies bodies = snapshot.bodies();
        require(bodies.slotCount() == slots, "slots");
        require(bodies.count() == moment.bodies().size(), "bodies");
        require(!bodies.exists(-1) && !bodies.exists(slots), "a body beyond the slots");
        moment.bodies().forEach(this::check);
        for (int slot = 0; slot < slots; slot++) {
            require(bodies.exists(slot) == moment.bodies().containsKey(slot), "exists", slot);
        }
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            checkVersions(b);
            if (snapshot.motion(b).changedTick() == snapshot.tick()) {
                checkMotionBreaks(b);
            }
        }
    }

    private void check(int slot, ModelBody body) {
        checkBody(slot, body);
        checkPose(slot, body);
        checkMotion(slot, body);
    }

    /** Rotations of the tick before have the sign that is nearer. */
    void checkFollows(Snapshot before) {
        for (Map.Entry<Integer, ModelBody> entry : moment.bodies().entrySet()) {
            int slot = entry.getKey();
            if (entry.getValue().spawnTick < moment.tick()) {
                PoseBlock p = before.poses().blockOf(slot);
                PoseBlock q = snapshot.poses().blockOf(slot);
                int i = slot & PoseBlock.MASK;
                float dot = p.qx[i] * q.qx[i] + p.qy[i] * q.qy[i] + p.qz[i] * q.qz[i] + p.qw[i] * q.qw[i];
                require(dot > -1e-6f, "sign", slot);
            }
        }
    }

    private void checkBody(int slot, ModelBody body) {
        Bodies bodies = snapshot.bodies();
        require(bodies.id(slot) == body.id, "id", slot);
        require(bodies.exists(body.id), "exists by id", slot);
        require(bodies.userData(slot) == body.userData, "user data", slot);
        long sinceTick = snapshot.bodyBlock(slot >>> PoseBlock.SHIFT).sinceTick[slot & PoseBlock.MASK];
        require(sinceTick == body.spawnTick, "spawn tick", slot);
        require(bodies.teleports(slot) == body.teleports, "teleports", slot);
        require(bodies.isQuarantined(slot) == body.quarantined, "quarantined", slot);
    }

    private void checkPose(int slot, ModelBody body) {
        PoseBlock block = snapshot.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        double[] place = body.position;
        require(Math.abs(snapshot.originX() + block.px[i] - place[0]) <= body.tolerance, "x", slot);
        require(Math.abs(snapshot.originY() + block.py[i] - place[1]) <= body.tolerance, "y", slot);
        require(Math.abs(snapshot.originZ() + block.pz[i] - place[2]) <= body.tolerance, "z", slot);
        float[] q = body.rotation;
        float dot = q[0] * block.qx[i] + q[1] * block.qy[i] + q[2] * block.qz[i] + q[3] * block.qw[i];
        float sign = dot < 0 ? -1 : 1;
        boolean sameRotation = Math.abs(sign * q[0] - block.qx[i]) < 1e-6
                && Math.abs(sign * q[1] - block.qy[i]) < 1e-6
                && Math.abs(sign * q[2] - block.qz[i]) < 1e-6
                && Math.abs(sign * q[3] - block.qw[i]) < 1e-6;
        require(sameRotation, "rotation", slot);
        for (int c = 0; c < body.channels.length; c++) {
            require(block.channels[c][i] == body.channels[c], "channel", slot);
        }
    }

    private void checkMotion(int slot, ModelBody body) {
        MotionBlock motion = snapshot.motion(slot >>> PoseBlock.SHIFT);
        int i = slot & PoseBlock.MASK;
        boolean now = body.tick == moment.tick();
        if (motion.changedTick() == moment.tick() && body.spawnTick != moment.tick()) {
            double turn = now ? body.turn : 0;
            require(Math.abs(motion.turn[i] - turn) < 3e-6 && motion.turn[i] >= motion.leastTurn(), "turn", slot);
        }
    }

    private void checkVersions(int b) {
        long poses = snapshot.motion(b).changedTick();
        long expected = moment.poseVersions().get(b);
        require(poses == expected, "version of the poses of block", b);
        require(
                snapshot.bodyBlock(b).changedTick() == moment.bodyVersions().get(b),
                "version of the bodies of block",
                b);
    }

    private void checkMotionBreaks(int b) {
        BitSet broken = new BitSet();
        double[][] jumps = new double[PoseBlock.CAPACITY][];
        MotionBreaks breaks = snapshot.motion(b).breaks();
        for (int s = 0; s < breaks.count(); s++) {
            int i = breaks.index(s);
            if (breaks.kind(s) == MotionBreaks.Kind.BROKEN) {
                broken.set(i);
            } else if (breaks.kind(s) == MotionBreaks.Kind.SHIFTED) {
                double[] before = jumps[i] == null ? NO_JUMP : jumps[i];
                jumps[i] = new double[] {before[0] + breaks.x(s), before[1] + breaks.y(s), before[2] + breaks.z(s)};
            }
        }
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            boolean isBroken = moment.isBroken(slot);
            require(broken.get(i) == isBroken, "broken", slot);
            if (!isBroken) {
                double[] expected = moment.jumps().getOrDefault(slot, NO_JUMP);
                require(isNear(jumps[i] == null ? NO_JUMP : jumps[i], expected), "jump", slot);
            }
        }
    }

    private static boolean isNear(double[] a, double[] b) {
        return Math.abs(a[0] - b[0]) < 1e-3 && Math.abs(a[1] - b[1]) < 1e-3 && Math.abs(a[2] - b[2]) < 1e-3;
    }

    private void require(boolean condition, String what, int number) {
        if (!condition) {
            throw new AssertionError(what + " " + number + " in " + snapshot);
        }
    }

    private void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what + " in " + snapshot);
        }
    }
}
