package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells readers by how much their last snapshot was wrong, after ticks ran again. The next snapshot is built from that of the last tick that
 * ran again, which readers never got. So each block in which the two differ counts as changed in this tick, and each body whose motion goes
 * on gets motion breaks with the error of the pose that readers have. A jump counts once, although its tick ran again.
 *
 * <p>Physics thread only. Allocates nothing but motion breaks, unless the world outgrows what was preallocated.
 */
final class CorrectedMotion {

    /** The last snapshot that readers got, if the tick before this one ran again since; otherwise null. */
    private @Nullable Snapshot published;

    private long readersTick;

    /** By index: the bodies of a block whose motion is broken. */
    private final BitSet broken = new BitSet(PoseBlock.CAPACITY);

    private final double[] turn = new double[3];

    /** By slot: the last tick, as readers count, in which its body jumped. */
    private long[] jumpTicks;

    /** How many ticks have run again since readers got a snapshot. */
    private int asides;

    /** Whether the snapshot that is written is that of a tick that runs again. */
    private boolean isAside;

    CorrectedMotion(int preallocatedBodies) {
        jumpTicks = new long[preallocatedBodies];
    }

    /** Begins a snapshot. If readers will get it, opens the blocks that changed in ticks that ran again. */
    void begin(ChangedBlocks blocks, Snapshot target, @Nullable Snapshot before, @Nullable Snapshot newPublished) {
        isAside = isAside(target.tick());
        readersTick = isAside && newPublished != null ? newPublished.tick() + 1 : target.tick();
        asides += isAside ? 1 : 0;
        Snapshot known = isAside || before == newPublished ? null : newPublished;
        published = known;
        if (before == null || known == null) {
            return;
        }
        for (int b = 0; b < before.poses().blockCount(); b++) {
            if (isAside(before.motion(b).changedTick())) {
                blocks.open(b);
            }
            if (isAside(before.bodyBlock(b).changedTick())) {
                BodyBlock bodies = blocks.openBodies(b);
                if (b < known.poses().blockCount()) {
                    countJumps(b, known.bodyBlock(b), bodies, known.tick());
                }
            }
        }
        asides = 0;
    }

    /** Called when a body jumps. */
    void jumped(int slot) {
        if (slot >= jumpTicks.length) {
            jumpTicks = Arrays.copyOf(jumpTicks, Math.max(slot + 1, 2 * jumpTicks.length));
        }
        if (!isAside) {
            jumpTicks[slot] = readersTick;
        }
    }

    /**
     * Sets how often a body has jumped, if it jumped in a tick that ran again: as often as readers know, and once more if it had not jumped
     * when these ticks ran first.
     */
    private void countJumps(int b, BodyBlock known, BodyBlock bodies, long last) {
        for (int i = 0; i < known.generation.length; i++) {
            boolean isSame = bodies.generation[i] == known.generation[i] && BodyId.isLive(known.generation[i]);
            if (!isSame || bodies.teleports[i] == known.teleports[i]) {
                continue;
            }
            int slot = (b << PoseBlock.SHIFT) + i;
            bodies.teleports[i] = known.teleports[i];
            if (jumpTicks[slot] <= Math.max(0, last - asides)) { // it is 0 if none has jumped
                bodies.teleports[i]++;
                jumpTicks[slot] = last;
            }
        }
    }

    private static boolean isAside(long version) {
        return version < Capture.ASIDE_TICKS && version != Snapshot.NEVER_WRITTEN;
    }

    /** The tick as readers count; while ticks run again, the tick of the next snapshot that readers get. */
    long readersTick() {
        return readersTick;
    }

    /** Adds the errors, after all else of the snapshot was written. */
    void finish(Snapshot target, @Nullable Snapshot right) {
        Snapshot wrong = published;
        if (right != null && wrong != null) {
            for (int b = 0; b < right.poses().blockCount(); b++) {
                boolean isInBoth = b < wrong.poses().blockCount();
                if (isAside(right.bodyBlock(b).changedTick())) {
                    compareBodies(b, isInBoth ? wrong : null, target);
                }
                if (isInBoth && isAside(right.motion(b).changedTick())) {
                    comparePoses(b, wrong, right, target);
                }
            }
        }
    }

    private void compareBodies(int b, @Nullable Snapshot known, Snapshot target) {
        BodyBlock wrong = known == null ? null : known.bodyBlock(b);
        BodyBlock bodies = target.bodyBlock(b);
        int slots = target.poses().slotsIn(b);
        for (int i = 0;
                i < (known == null ? slots : Math.max(slots, known.poses().slotsIn(b)));
                i++) {
            boolean isSame = wrong != null && wrong.generationAt(i) == bodies.generation[i];
            if (isAside(bodies.sinceTick[i])) {
                bodies.sinceTick[i] = wrong != null && isSame ? wrong.sinceTick[i] : readersTick;
            }
            if (!isSame) {
                target.motion(b).breaks().add(Kind.BROKEN, i, 0, 0, 0);
            }
        }
    }

    private void comparePoses(int b, Snapshot wrong, Snapshot right, Snapshot written) {
        BodyBlock known = wrong.bodyBlock(b);
        PoseBlock before = wrong.poses().block(b);
        PoseBlock then = right.poses().block(b);
        MotionBreaks breaks = written.motion(b).breaks();
        findBroken(breaks);
        float shiftX = (float) (right.originX() - wrong.originX());
        float shiftY = (float) (right.originY() - wrong.originY());
        float shiftZ = (float) (right.originZ() - wrong.originZ());
        for (int i = 0; i < wrong.poses().slotsIn(b); i++) {
            boolean isSame = known.generation[i] == written.bodyBlock(b).generation[i];
            if (!isSame || !BodyId.isLive(known.generation[i]) || broken.get(i)) {
                continue;
            }
            float x = before.px[i] - then.px[i] - shiftX;
            float y = before.py[i] - then.py[i] - shiftY;
            float z = before.pz[i] - then.pz[i] - shiftZ;
            if (x != 0 || y != 0 || z != 0) {
                breaks.add(Kind.CORRECTED, i, x, y, z);
            }
            before.turnSince(i, then, turn);
            if ((float) turn[0] != 0 || (float) turn[1] != 0 || (float) turn[2] != 0) { // a turn by zero has no axis
                breaks.add(Kind.CORRECTED_TURN, i, (float) turn[0], (float) turn[1], (float) turn[2]);
            }
        }
    }

    private void findBroken(MotionBreaks breaks) {
        broken.clear();
        for (int e = 0; e < breaks.count(); e++) {
            if (breaks.kind(e) == Kind.BROKEN) {
                broken.set(breaks.index(e));
            }
        }
    }
}
