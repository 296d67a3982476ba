package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds bodies that moved since the tick before, at the end of a capture: displacement outliers for visitors, and after a seek all of them,
 * to break their motion.
 *
 * <p>Physics thread only.
 */
final class MovedBodies {

    /** {@link MotionBlock#turn} of a quarter turn, whose half has this cosine. */
    private static final float QUARTER_TURN = (float) Math.sqrt(0.5) - 1;

    private final Capture capture;
    private final BodySlots slots;
    private final DirtyBlocks blocks;
    private final WrittenPoses writtenPoses;

    /** The visitors of the current capture. */
    private final List<PoseWriter.OutlierVisitor> visitors = new ArrayList<>();

    private float outlierMetres = Float.POSITIVE_INFINITY;

    /** Scratch: squared displacement per body of the current block. */
    private final float[] squaredMoves = new float[PoseBlock.CAPACITY];

    /** True after a seek, until a finished tick has broken the motion of all bodies that moved. */
    private boolean breaksMotion;

    MovedBodies(Capture capture, BodySlots slots, DirtyBlocks blocks, WrittenPoses writtenPoses) {
        this.capture = capture;
        this.slots = slots;
        this.blocks = blocks;
        this.writtenPoses = writtenPoses;
    }

    /** Teleports each body whose pose the next capture changes. */
    void breakMotion() {
        breaksMotion = true;
    }

    /** Adds a visitor to the current capture. */
    void visitOutliers(float metres, PoseWriter.OutlierVisitor visitor) {
        outlierMetres = Math.min(outlierMetres, metres);
        visitors.add(visitor);
    }

    /** Finds the moved bodies of the current capture. The written poses are checked, and of this tick's origin. */
    void find(Snapshot target) {
        Snapshot before = blocks.previous();
        if (before != null && breaksMotion) {
            breakMotion(target);
        } else if (before != null && !visitors.isEmpty()) {
            findOutliers(target, before);
        }
        breaksMotion = false;
        visitors.clear();
        outlierMetres = Float.POSITIVE_INFINITY;
    }

    private void breakMotion(Snapshot target) {
        boolean hasOtherOrigin = blocks.hasOtherOrigin();
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock then = blocks.posesBefore(b);
            if (then == null || !blocks.isDirty(b)) {
                continue;
            }
            for (int i = 0; i < target.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) + i;
                if (writtenPoses.contains(slot)
                        && !slots.changed.get(slot)
                        && (hasOtherOrigin || !target.poses().block(b).hasSamePose(i, then))) {
                    capture.teleport(slot);
                }
            }
        }
    }

    private void findOutliers(Snapshot target, Snapshot before) {
        float shiftX = (float) (target.originX() - before.originX());
        float shiftY = (float) (target.originY() - before.originY());
        float shiftZ = (float) (target.originZ() - before.originZ());
        for (int b = 0; b < target.poses().blockCount(); b++) {
            PoseBlock then = blocks.posesBefore(b);
            if (then == null || !blocks.isDirty(b)) {
                continue;
            }
            PoseBlock now = target.poses().block(b);
            MotionBlock motion = target.motion(b);
            boolean anyTurns = motion.leastTurn() < QUARTER_TURN;
            int count = blocks.slotsInBoth(b, before);
            Arrays.fill(squaredMoves, 0, count, 0);
            addSquares(now.px, then.px, shiftX, squaredMoves, count);
            addSquares(now.py, then.py, shiftY, squaredMoves, count);
            addSquares(now.pz, then.pz, shiftZ, squaredMoves, count);
            for (int i = 0; i < count; i++) {
                boolean turns =
                        anyTurns && motion.turn[i] < QUARTER_TURN && !writtenPoses.spins((b << PoseBlock.SHIFT) + i);
                if ((turns || squaredMoves[i] > outlierMetres * outlierMetres) && isContinued(b, i, target, before)) {
                    for (int v = 0; v < visitors.size(); v++) { // an iterator would be an allocation
                        visitors.get(v)
                                .moved(
                                        (b << PoseBlock.SHIFT) + i,
                                        now.px[i] - then.px[i] + shiftX,
                                        now.py[i] - then.py[i] + shiftY,
                                        now.pz[i] - then.pz[i] + shiftZ,
                                        rounding(now, then, i),
                                        turns ? motion.turn[i] : 0);
                    }
                }
            }
        }
    }

    /**
     * Bounds the error of the distance between two positions, metres. Rounding to {@code float} moves each coordinate by at most half the
     * step between neighbouring floats.
     */
    private static float rounding(PoseBlock now, PoseBlock then, int i) {
        float x = Math.max(Math.abs(now.px[i]), Math.abs(then.px[i]));
        float y = Math.max(Math.abs(now.py[i]), Math.abs(then.py[i]));
        float z = Math.max(Math.abs(now.pz[i]), Math.abs(then.pz[i]));
        // Both positions together: at most one step along each axis, so at most sqrt(3) steps of distance.
        return 2 * Math.ulp(Math.max(x, Math.max(y, z)));
    }

    /** Adds the squared displacements along one axis to {@code squared}. C2 makes vector code of this loop, see {@link PoseChecks}. */
    private static void addSquares(float[] now, float[] before, float shift, float[] squared, int n) {
        for (int i = 0; i < n; i++) {
            float moved = now[i] - before[i] + shift;
            squared[i] = squared[i] + moved * moved;
        }
    }

    /** Returns whether a body existed in the tick before, and did not teleport in this one. */
    private boolean isContinued(int b, int i, Snapshot target, Snapshot before) {
        int slot = (b << PoseBlock.SHIFT) + i;
        boolean isTeleported =
                blocks.areBodiesDirty(b) && target.bodyBlock(b).teleports[i] != before.bodyBlock(b).teleports[i];
        return slots.isLive(slot) && !slots.changed.get(slot) && !isTeleported;
    }
}
