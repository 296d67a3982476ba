package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes, per body, the error of the published snapshot after a re-simulation.
 *
 * <p>The next snapshot continues the last shadow snapshot, which readers never get. So each block in which the published and the shadow
 * snapshot may differ counts as changed in this tick. Each body whose motion continues gets motion breaks with the error of its published
 * pose. A teleport counts once, although its tick was re-simulated.
 *
 * <p>Physics thread only. Allocates only motion breaks, and when the world outgrows the preallocated bodies.
 */
final class CorrectedMotion {

    /** The last published snapshot, while the first one after a re-simulation is written; else null. */
    private @Nullable Snapshot publishedSnapshot;

    private long readersTick;

    private final double[] turn = new double[3];

    /** Per slot: the last published tick in which its body teleported, 0 for none. */
    private long[] teleportTicks;

    /** The number of shadow snapshots, which are never published, since the last published snapshot. */
    private int shadows;

    private boolean isShadow;

    CorrectedMotion(int preallocatedBodies) {
        teleportTicks = new long[preallocatedBodies];
    }

    /**
     * Begins a snapshot. Unless it is a shadow snapshot itself, marks the blocks as changed that changed in the shadow snapshots before it.
     */
    void begin(ChangedBlocks blocks, Snapshot target, @Nullable Snapshot before, @Nullable Snapshot newPublished) {
        isShadow = isShadow(target.tick());
        readersTick = isShadow && newPublished != null ? newPublished.tick() + 1 : target.tick();
        shadows += isShadow ? 1 : 0;
        Snapshot published = isShadow || before == newPublished ? null : newPublished;
        publishedSnapshot = published;
        if (before == null || published == null) {
            return;
        }
        for (int b = 0; b < before.poses().blockCount(); b++) {
            if (isShadow(before.motion(b).changedTick())) {
                blocks.open(b);
            }
            if (isShadow(before.bodyBlock(b).changedTick())) {
                BodyBlock bodies = blocks.openBodies(b);
                if (b < published.poses().blockCount()) {
                    correctTeleports(b, published.bodyBlock(b), bodies, published.tick());
                }
            }
        }
        shadows = 0;
    }

    void teleported(int slot) {
        if (slot >= teleportTicks.length) {
            teleportTicks = Arrays.copyOf(teleportTicks, Math.max(slot + 1, 2 * teleportTicks.length));
        }
        if (!isShadow) {
            teleportTicks[slot] = readersTick;
        }
    }

    /**
     * Corrects the teleport count of each body that teleported in re-simulated ticks. The count becomes the published one, plus one if the
     * body did not teleport when these ticks first ran.
     */
    private void correctTeleports(int b, BodyBlock published, BodyBlock bodies, long last) {
        for (int i = 0; i < published.generation.length; i++) {
            boolean isSame = bodies.generation[i] == published.generation[i] && BodyId.isLive(published.generation[i]);
            if (!isSame || bodies.teleports[i] == published.teleports[i]) {
                continue;
            }
            int slot = (b << PoseBlock.SHIFT) + i;
            bodies.teleports[i] = published.teleports[i];
            if (teleportTicks[slot] <= Math.max(0, last - shadows)) {
                bodies.teleports[i]++;
                teleportTicks[slot] = last;
            }
        }
    }

    private static boolean isShadow(long version) {
        return version < Capture.SHADOW_TICKS && version != Snapshot.NEVER_WRITTEN;
    }

    /** The tick in the numbers of published snapshots; for a shadow snapshot, the next tick to be published. */
    long readersTick() {
        return readersTick;
    }

    void finish(Snapshot target, @Nullable Snapshot right) {
        Snapshot wrong = publishedSnapshot;
        if (right != null && wrong != null) {
            for (int b = 0; b < right.poses().blockCount(); b++) {
                boolean isInBoth = b < wrong.poses().blockCount();
                if (isShadow(right.bodyBlock(b).changedTick())) {
                    compareBodies(b, isInBoth ? wrong : null, target);
                }
                if (isInBoth && isShadow(right.motion(b).changedTick())) {
                    comparePoses(b, wrong, right, target);
                }
            }
        }
    }

    private void compareBodies(int b, @Nullable Snapshot published, Snapshot target) {
        BodyBlock wrong = published == null ? null : published.bodyBlock(b);
        BodyBlock bodies = target.bodyBlock(b);
        int slots = target.poses().slotsIn(b);
        int end = published == null ? slots : Math.max(slots, published.poses().slotsIn(b));
        for (int i = 0; i < end; i++) {
            boolean isSame = wrong != null && wrong.generationAt(i) == bodies.generation[i];
            if (isShadow(bodies.sinceTick[i])) {
                bodies.sinceTick[i] = wrong != null && isSame ? wrong.sinceTick[i] : readersTick;
            }
            if (!isSame) {
                target.motion(b).breaks().add(Kind.BROKEN, i, 0, 0, 0);
            }
        }
    }

    private void comparePoses(int b, Snapshot wrong, Snapshot right, Snapshot written) {
        BodyBlock publishedBodies = wrong.bodyBlock(b);
        PoseBlock wrongPoses = wrong.poses().block(b);
        PoseBlock rightPoses = right.poses().block(b);
        MotionBreaks breaks = written.motion(b).breaks();
        float shiftX = (float) (right.originX() - wrong.originX());
        float shiftY = (float) (right.originY() - wrong.originY());
        float shiftZ = (float) (right.originZ() - wrong.originZ());
        for (int i = 0; i < wrong.poses().slotsIn(b); i++) {
            boolean isSame = publishedBodies.generation[i] == written.bodyBlock(b).generation[i];
            if (!isSame || !BodyId.isLive(publishedBodies.generation[i]) || breaks.has(Kind.BROKEN, i)) {
                continue;
            }
            float x = wrongPoses.px[i] - rightPoses.px[i] - shiftX;
            float y = wrongPoses.py[i] - rightPoses.py[i] - shiftY;
            float z = wrongPoses.pz[i] - rightPoses.pz[i] - shiftZ;
            if (x != 0 || y != 0 || z != 0) {
                breaks.add(Kind.CORRECTED, i, x, y, z);
            }
            wrongPoses.turnSince(i, rightPoses, turn);
            if ((float) turn[0] != 0
                    || (float) turn[1] != 0
                    || (float) turn[2] != 0) { // a rotation by zero has no axis
                breaks.add(Kind.CORRECTED_TURN, i, (float) turn[0], (float) turn[1], (float) turn[2]);
            }
        }
    }
}
