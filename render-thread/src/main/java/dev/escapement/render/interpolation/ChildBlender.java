package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Blends the positions of child bodies on straight lines in the frames of their parents.
 *
 * <pre>x(t) = X(t) + R(t) (r(0) + (r(1) - r(0)) t),  r = R^-1 (x - X)</pre>
 *
 * x is the child's position; X and R are the displayed position and rotation of the parent. At both ticks x is the child's position in the
 * world, so a body that gets or loses its parent stays where it is. In a prediction t is beyond 1, and the older prediction fades as in
 * {@link BlockPredictor}.
 *
 * <p>A child follows a teleport of its parent if its position changes less in the parent frame than in the world. Otherwise the child stays
 * behind, because engines do not carry the bodies that stand on a teleporting body. A child is blended in the world instead if it does not
 * follow its parent's teleport, if it teleports differently from its parent, if it or its parent rests, or if one of the two is not in both
 * ticks.
 *
 * <p>Rotations are blended in the world. Up to 180 degrees a tick, slerp gives the same result in every frame, so a child that does not
 * rotate in its parent frame rotates with the parent.
 *
 * <p>The offset of a child's centre of mass (see {@link MassCentre}) has no effect, because its position moves on a straight line in the
 * parent frame. The parent's displayed pose includes the parent's offset.
 *
 * <p>One thread. Allocates nothing.
 */
final class ChildBlender {

    /** The longest sequence of parents that is followed. Writers refuse cycles of parents, but a damaged stream may have one. */
    private static final int MAX_LEVELS = 64;

    private final Interpolator interpolator;

    /** Scratch: the pose of one body, at its index within the block. */
    private final PoseBlock copy = new PoseBlock();

    // Scratch: positions.
    private final double[] position = new double[3];
    private final double[] older = new double[3];
    private final double[] start = new double[3];
    private final double[] end = new double[3];

    ChildBlender(Interpolator interpolator) {
        this.interpolator = interpolator;
    }

    /** Moves the children in {@code out}, whose poses were blended as if no body had a parent. Both ticks must have the block. */
    void blend(int b, PoseBlock out, int n) {
        Snapshot previous = interpolator.previous;
        Snapshot current = interpolator.current;
        BodyBlock previousBodies = previous.bodyBlock(b);
        BodyBlock currentBodies = current.bodyBlock(b);
        float since = interpolator.ticksSincePrevious();
        float olderWeight = interpolator.olderWeight();
        for (int i = 0; i < n; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            boolean isChild = currentBodies.parent(i) != 0 || previousBodies.parent(i) != 0;
            if (isChild && !teleportsAlone(current, slot)) {
                find(previous, current, since, slot, 0, position);
                if (olderWeight > 0) {
                    find(interpolator.beforePrevious, previous, since + 1, slot, 0, older);
                    store(older, copy, i);
                    addErrors(current, slot, -1);
                    load(copy, i, older);
                    move(position, older, olderWeight);
                }
                store(position, out, i);
            }
        }
    }

    /**
     * Finds the position of a body after {@code part} of the time from one tick to the next, blended in the frame of the parent that the
     * body has in the later tick. Returns true if the body teleports, or follows a parent that teleports.
     *
     * <ol>
     *   <li>{@code out} becomes the position of the parent, by a recursion, which overwrites {@code start}, {@code end} and
     *       {@code copy}.
     *   <li>{@code start} and {@code end} become the body's positions in the parent's frame, in the two ticks.
     *   <li>Without a parent, or if the body moves farther in that frame than in the world, {@code out} becomes the blended position in the
     *       world.
     *   <li>Else {@code start} becomes the blended position in the frame, rotated into the world, and is added to {@code out}.
     * </ol>
     */
    private boolean find(Snapshot from, Snapshot to, float part, int slot, int level, double[] out) {
        long parent = to.bodyBlock(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
        int parentSlot = BodyId.slot(parent);
        boolean isInFrame = moves(from, to, parent)
                && moves(from, to, to.bodies().id(slot))
                && !teleportsAlone(to, slot)
                && level < MAX_LEVELS;
        boolean teleports = isInFrame && find(from, to, part, parentSlot, level + 1, out);
        double way = teleports ? squaredWay(from, to, slot) : Double.POSITIVE_INFINITY;
        if (isInFrame) {
            findRelative(from, to, slot, parentSlot, start);
            findRelative(to, to, slot, parentSlot, end);
        }
        if (!isInFrame || squaredDistance(start, end) > way) {
            copyShown(slot, to);
            load(copy, slot & PoseBlock.MASK, out);
            return teleportOf(to, slot) >= 0;
        }
        move(start, end, part);
        copyShown(parentSlot, to);
        copy.rotate(parentSlot & PoseBlock.MASK, 1, start);
        for (int k = 0; k < out.length; k++) {
            out[k] += start[k];
        }
        return teleports;
    }

    /** The squared distance that a body moves in the world from one tick to the next, including its teleport. */
    private double squaredWay(Snapshot from, Snapshot to, int slot) {
        copyCorrected(from, to, slot);
        load(copy, slot & PoseBlock.MASK, start);
        copyCorrected(to, to, slot);
        load(copy, slot & PoseBlock.MASK, end);
        end[0] += to.originX() - from.originX();
        end[1] += to.originY() - from.originY();
        end[2] += to.originZ() - from.originZ();
        return squaredDistance(start, end);
    }

    private static double squaredDistance(double[] a, double[] b) {
        double x = a[0] - b[0];
        double y = a[1] - b[1];
        double z = a[2] - b[2];
        return x * x + y * y + z * z;
    }

    /** True if a body is in both ticks and in the shown snapshot, and moves between the two ticks. */
    private boolean moves(Snapshot from, Snapshot to, long id) {
        int slot = BodyId.slot(id);
        return from.bodies().exists(id)
                && to.bodies().exists(id)
                && interpolator.shown().bodies().exists(id)
                && to.motion(slot >>> PoseBlock.SHIFT).changedTick() == to.tick()
                && !to.poses()
                        .blockOf(slot)
                        .hasSamePose(slot & PoseBlock.MASK, from.poses().blockOf(slot));
    }

    /** True if a body teleports and its parent does not teleport by the same distance. */
    private static boolean teleportsAlone(Snapshot to, int slot) {
        int e = teleportOf(to, slot);
        if (e < 0) {
            return false;
        }
        long parent = to.bodyBlock(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
        if (!to.bodies().exists(parent)) { // the slot of a missing parent may be beyond the last block
            return true;
        }
        int parentSlot = BodyId.slot(parent);
        int p = teleportOf(to, parentSlot);
        MotionBreaks breaks = to.motion(slot >>> PoseBlock.SHIFT).breaks();
        MotionBreaks parents = to.motion(parentSlot >>> PoseBlock.SHIFT).breaks();
        return p < 0
                || breaks.kind(e) != Kind.SHIFTED
                || parents.kind(p) != Kind.SHIFTED
                || breaks.x(e) != parents.x(p)
                || breaks.y(e) != parents.y(p)
                || breaks.z(e) != parents.z(p);
    }

    /**
     * The index of the motion break by which a body teleports in a tick; -1 if there is none. If the body has a BROKEN and a SHIFTED break,
     * the BROKEN one counts.
     */
    private static int teleportOf(Snapshot to, int slot) {
        MotionBreaks breaks = to.motion(slot >>> PoseBlock.SHIFT).breaks();
        int teleport = -1;
        for (int e = lastBreak(to, slot); e >= 0; e = breaks.before(e)) {
            boolean isShift = breaks.kind(e) == Kind.SHIFTED && teleport < 0;
            teleport = isShift || breaks.kind(e) == Kind.BROKEN ? e : teleport;
        }
        return teleport;
    }

    /** The index of a body's last motion break in a tick; -1 if it has none. */
    private static int lastBreak(Snapshot tick, int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        boolean isNew = b < tick.poses().blockCount() && tick.motion(b).changedTick() == tick.tick();
        return isNew ? tick.motion(b).breaks().last(slot & PoseBlock.MASK) : -1;
    }

    /**
     * Copies the pose of a body as blended in the world. For the older prediction, adds the errors that the current tick corrects, because
     * that prediction still contains them.
     */
    private void copyShown(int slot, Snapshot to) {
        copy.copyFrom(interpolator.inWorld(slot >>> PoseBlock.SHIFT), slot & PoseBlock.MASK, 1);
        if (to != interpolator.current) {
            addErrors(interpolator.current, slot, 1);
        }
    }

    /** Finds the position of a body in its parent frame at a tick, without the errors that the later tick corrects. */
    private void findRelative(Snapshot tick, Snapshot later, int slot, int parent, double[] out) {
        copyCorrected(tick, later, slot);
        load(copy, slot & PoseBlock.MASK, out);
        copyCorrected(tick, later, parent);
        int i = parent & PoseBlock.MASK;
        out[0] -= copy.px[i];
        out[1] -= copy.py[i];
        out[2] -= copy.pz[i];
        copy.rotate(i, -1, out);
    }

    private void copyCorrected(Snapshot tick, Snapshot later, int slot) {
        copy.copyFrom(tick.poses().blockOf(slot), slot & PoseBlock.MASK, 1);
        if (tick != later) {
            addErrors(later, slot, -1);
        }
    }

    /** Adds the errors that a tick corrects to the copy of a body's pose; a sign of -1 removes them. */
    private void addErrors(Snapshot tick, int slot, int sign) {
        MotionBreaks breaks = tick.motion(slot >>> PoseBlock.SHIFT).breaks();
        for (int e = lastBreak(tick, slot); e >= 0; e = breaks.before(e)) {
            CorrectedBlock.add(breaks, e, sign, copy);
        }
    }

    static void load(PoseBlock block, int i, double[] out) {
        out[0] = block.px[i];
        out[1] = block.py[i];
        out[2] = block.pz[i];
    }

    static void store(double[] position, PoseBlock block, int i) {
        block.px[i] = (float) position[0];
        block.py[i] = (float) position[1];
        block.pz[i] = (float) position[2];
    }

    private static void move(double[] position, double[] to, float part) {
        for (int k = 0; k < position.length; k++) {
            position[k] += (to[k] - position[k]) * part;
        }
    }
}
