package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Captures re-simulated ticks into shadow snapshots, which readers never get, and corrects the published snapshot after them.
 *
 * <p>Each shadow snapshot has the number of the tick that is published next. That one continues the last shadow snapshot. So each block in
 * which the two snapshots before it, the published one and the shadow, may differ counts as changed in it. Each body whose motion continues
 * gets motion breaks with the error of its published pose, which lets pictures fade it. A teleport counts once, although its tick was
 * re-simulated.
 *
 * <p>Physics thread only. Allocates two shadow snapshots on first use, motion breaks, and when the world outgrows the preallocated bodies.
 */
public final class Resimulation {

    private final Capture capture;
    private final DirtyBlocks blocks;
    private final double[] rotation = new double[3];

    /** The last written shadow snapshot is at 0. */
    private final @Nullable WritableSnapshot[] shadows = new WritableSnapshot[2];

    /** The number of shadow snapshots since the last published snapshot. */
    private int count;

    /** Per slot: the last published tick in which its body teleported, 0 for none. */
    private long[] teleportTicks;

    Resimulation(Capture capture, DirtyBlocks blocks, int preallocatedBodies) {
        this.capture = capture;
        this.blocks = blocks;
        teleportTicks = new long[preallocatedBodies];
    }

    /**
     * {@return the snapshot that the next capture continues: the last shadow snapshot since the published one, or else the published one}
     *
     * @param published the last published snapshot
     */
    public Snapshot before(Snapshot published) {
        WritableSnapshot shadow = shadows[0];
        return count == 0 || shadow == null ? published : shadow;
    }

    /**
     * Captures a restored state or a re-simulated tick into a shadow snapshot. The next capture continues from it.
     *
     * @param published the last published snapshot
     * @return the bodies of the tick, valid until the capture after the next
     * @throws Exception as from {@link Capture#captureInto}
     */
    public Snapshot capture(Snapshot published) throws Exception {
        Snapshot before = before(published);
        WritableSnapshot reused = shadows[1];
        WritableSnapshot shadow = reused == null ? new WritableSnapshot(0, published.layout()) : reused;
        shadows[1] = shadows[0];
        shadows[0] = shadow;
        shadow.forgetBlocks(); // else a block of another shadow snapshot with this number would count as equal
        shadow.startTick(published.tick() + 1, 0);
        capture.startTick(shadow, before);
        capture.write();
        count++;
        return shadow;
    }

    /** Captures a snapshot that will be published. */
    void captureInto(WritableSnapshot snapshot, @Nullable Snapshot published) throws Exception {
        if (count == 0 || published == null) {
            capture.startTick(snapshot, published);
            capture.write();
        } else {
            Snapshot shadow = before(published);
            capture.startTick(snapshot, shadow);
            makeDirty(shadow, published);
            count = 0;
            capture.write();
            compare(snapshot, shadow, published);
        }
    }

    /** Marks the blocks as changed that changed in shadow snapshots. */
    private void makeDirty(Snapshot shadow, Snapshot published) {
        for (int b = 0; b < shadow.poses().blockCount(); b++) {
            if (shadow.motion(b).changedTick() > published.tick()) {
                blocks.makeDirty(b);
            }
            if (shadow.bodyBlock(b).changedTick() > published.tick()) {
                BodyBlock bodies = blocks.makeBodiesDirty(b);
                if (b < published.poses().blockCount()) {
                    correctTeleports(b, published.bodyBlock(b), bodies, published.tick());
                }
            }
        }
    }

    /** Notes a teleport in the current capture. */
    void teleported(int slot) {
        if (slot >= teleportTicks.length) {
            teleportTicks = Arrays.copyOf(teleportTicks, Math.max(slot + 1, 2 * teleportTicks.length));
        }
        if (capture.target() != shadows[0]) {
            teleportTicks[slot] = capture.target().tick();
        }
    }

    /**
     * Corrects the teleport count of each body that teleported in re-simulated ticks. The count becomes the published one, plus one if the
     * body did not teleport when these ticks first ran.
     */
    private void correctTeleports(int b, BodyBlock published, BodyBlock bodies, long last) {
        for (int i = 0; i < published.generation.length; i++) {
            boolean isSame =
                    bodies.generationAt(i) == published.generation[i] && BodyId.isLive(published.generation[i]);
            if (!isSame || bodies.teleports[i] == published.teleports[i]) {
                continue;
            }
            int slot = (b << PoseBlock.SHIFT) + i;
            bodies.teleports[i] = published.teleports[i];
            if (teleportTicks[slot] <= Math.max(0, last - count)) {
                bodies.teleports[i]++;
                teleportTicks[slot] = last;
            }
        }
    }

    private void compare(Snapshot written, Snapshot shadow, Snapshot published) {
        for (int b = 0; b < shadow.poses().blockCount(); b++) {
            boolean isInBoth = b < published.poses().blockCount();
            if (shadow.bodyBlock(b).changedTick() > published.tick()) {
                compareBodies(b, isInBoth ? published : null, written);
            }
            if (isInBoth && shadow.motion(b).changedTick() > published.tick()) {
                comparePoses(b, published, shadow, written);
            }
        }
    }

    private void compareBodies(int b, @Nullable Snapshot published, Snapshot written) {
        BodyBlock wrong = published == null ? null : published.bodyBlock(b);
        BodyBlock bodies = written.bodyBlock(b);
        int slots = written.poses().slotsIn(b);
        int end = published == null ? slots : Math.max(slots, published.poses().slotsIn(b));
        for (int i = 0; i < end; i++) {
            int generation = bodies.generationAt(i); // the rooms of the two blocks differ
            if (wrong == null || wrong.generationAt(i) != generation) {
                written.motion(b).breaks().add(Kind.BROKEN, i, 0, 0, 0);
            } else if (BodyId.isLive(generation)) {
                bodies.sinceTick[i] = wrong.sinceTick[i];
            }
        }
    }

    private void comparePoses(int b, Snapshot wrong, Snapshot right, Snapshot written) {
        BodyBlock publishedBodies = wrong.bodyBlock(b);
        PoseBlock wrongPoses = wrong.poses().block(b);
        PoseBlock rightPoses = right.poses().block(b);
        MotionBlock motion = written.motion(b);
        float shiftX = (float) (right.originX() - wrong.originX());
        float shiftY = (float) (right.originY() - wrong.originY());
        float shiftZ = (float) (right.originZ() - wrong.originZ());
        for (int i = 0; i < wrong.poses().slotsIn(b); i++) {
            boolean isSame =
                    publishedBodies.generation[i] == written.bodyBlock(b).generationAt(i);
            if (!isSame
                    || !BodyId.isLive(publishedBodies.generation[i])
                    || motion.breaks().has(Kind.BROKEN, i)) {
                continue;
            }
            float x = wrongPoses.px[i] - rightPoses.px[i] - shiftX;
            float y = wrongPoses.py[i] - rightPoses.py[i] - shiftY;
            float z = wrongPoses.pz[i] - rightPoses.pz[i] - shiftZ;
            if (x != 0 || y != 0 || z != 0) {
                motion.correct(Kind.CORRECTED, i, x, y, z);
            }
            wrongPoses.rotationSince(i, rightPoses, rotation);
            if ((float) rotation[0] != 0
                    || (float) rotation[1] != 0
                    || (float) rotation[2] != 0) { // a rotation by zero has no axis
                motion.correct(Kind.CORRECTED_TURN, i, (float) rotation[0], (float) rotation[1], (float) rotation[2]);
            }
        }
    }
}
