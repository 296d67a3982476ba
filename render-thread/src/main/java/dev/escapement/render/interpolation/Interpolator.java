package dev.escapement.render.interpolation;

import dev.escapement.render.clock.LookAhead;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * The world at a moment between two consecutive ticks, blended block by block when it is read.
 *
 * <p>A body whose motion is broken at the later tick is shown as at the earlier one until then, and not at all if it did not exist yet. At
 * alpha 0 and 1 the poses are exactly those of the snapshots, so that a moment looks the same from every window. Blocks in which nothing
 * moved are copied, only once.
 *
 * <pre>{@code
 * interpolator.show(earlier, later, 0.25f, 0.01);
 * PoseBlocks poses = interpolator.poses();
 * }</pre>
 *
 * <p>One thread, and only while the snapshots are held. Allocates nothing unless the number of bodies grows.
 */
public final class Interpolator {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");
    private static final Snapshot EMPTY = new Snapshot(PoseLayout.PLAIN);

    private final Interpolation how;
    private final BlockBlender blender;
    private final BlockPredictor predictor;
    private PoseBlocks blended = new PoseBlocks(0);
    private Snapshot earliest = EMPTY;
    private Snapshot from = EMPTY;
    private Snapshot to = EMPTY;
    private Snapshot shown = EMPTY;
    private float alpha;
    private float ahead;
    private boolean saidHow;

    /** The number of the moment. */
    private long moment;

    /** Per block: the last moment that it was blended for. */
    private long[] blendedMoment = {};

    /** Per block: the version of the poses in it if it is a mere copy. */
    private long[] copiedVersion = {};

    /**
     * Creates an interpolator.
     *
     * @param how how to interpolate between ticks
     */
    public Interpolator(Interpolation how) {
        this.how = how;
        blender = new BlockBlender(how.positions());
        predictor = new BlockPredictor(how.positions());
    }

    /**
     * Sets the moment. All snapshots must be of one exchange.
     *
     * @param earlier     the snapshot before the moment
     * @param later       the snapshot of the next tick
     * @param newAlpha    0 for {@code earlier} to 1 for {@code later}
     * @param tickSeconds the length of a tick
     * @throws IllegalArgumentException if alpha is out of its range, or the ticks are not consecutive
     */
    public void show(Snapshot earlier, Snapshot later, float newAlpha, double tickSeconds) {
        show(earlier, earlier, later, newAlpha, 0, tickSeconds);
    }

    /**
     * Sets a moment that may be later than what is known: this many ticks after what {@code newAlpha} says, by prediction. All snapshots must
     * be of one exchange.
     *
     * @param before      the snapshot of the tick before {@code earlier}; {@code earlier} itself if that is not known, then what was
     *                    predicted from it does not fade, but jumps
     * @param earlier     the last snapshot but one
     * @param later       the last snapshot that is known for sure at that moment
     * @param newAlpha    0 to 1: how far the moment is from {@code earlier} to {@code later}, without the prediction
     * @param newAhead    0 to {@value LookAhead#MAX_TICKS} ticks
     * @param tickSeconds the length of a tick
     * @throws IllegalArgumentException if a number is out of its range, or the ticks are not consecutive
     */
    public void show(
            Snapshot before, Snapshot earlier, Snapshot later, float newAlpha, float newAhead, double tickSeconds) {
        if (!(newAhead >= 0 && newAhead <= LookAhead.MAX_TICKS)) {
            throw new IllegalArgumentException(
                    "a moment can be predicted 0 to " + LookAhead.MAX_TICKS + " ticks ahead, but not " + newAhead);
        }
        if (!(newAlpha >= 0 && newAlpha <= 1)) {
            throw new IllegalArgumentException("alpha must be within 0 and 1, but is " + newAlpha);
        }
        if (later.tick() != earlier.tick() + 1) {
            throw new IllegalArgumentException(
                    "only consecutive ticks can be blended, but these are " + earlier.tick() + " and " + later.tick());
        }
        if (before != earlier && before.tick() != earlier.tick() - 1) {
            throw new IllegalArgumentException("what is before tick " + earlier.tick() + " is tick "
                    + (earlier.tick() - 1) + ", but this is " + before.tick());
        }
        earliest = before;
        from = earlier;
        to = later;
        alpha = newAlpha;
        ahead = newAhead;
        sayHow(later.layout());
        shown = alpha + ahead < 1 ? from : to;
        if (ahead > 0) {
            predictor.begin(earliest, from, to, shown, alpha, ahead, tickSeconds);
        } else {
            blender.begin(from, to, alpha, tickSeconds);
        }
        resize();
    }

    /**
     * The snapshot that has the bodies at the moment. Positions are relative to its origin.
     *
     * @return the snapshot whose bodies, user data and origin apply at the moment
     */
    public Snapshot shown() {
        return shown;
    }

    /**
     * The bodies that exist at the moment.
     *
     * @return a view of the snapshot
     */
    public Bodies bodies() {
        return shown.bodies();
    }

    /**
     * All poses at the moment. Those in slots without a body are meaningless.
     *
     * @return the poses, overwritten for the next moment
     */
    public PoseBlocks poses() {
        for (int b = 0; b < blended.blockCount(); b++) {
            block(b);
        }
        return blended;
    }

    /**
     * The poses of one block at the moment.
     *
     * @param b 0 to the number of blocks - 1
     * @return the block, overwritten for the next moment
     */
    public PoseBlock block(int b) {
        PoseBlock block = blended.block(b);
        if (blendedMoment[b] != moment) {
            long version = versionToCopy(b);
            if (version == Snapshot.NEVER_WRITTEN || version != copiedVersion[b]) {
                copiedVersion[b] = Snapshot.NEVER_WRITTEN; // until it is whole, should an error end this
                blendInto(b, block);
                copiedVersion[b] = version;
            }
            blendedMoment[b] = moment;
        }
        return block;
    }

    /**
     * The version of a block's poses, for callers that keep what they derived from them.
     *
     * @param b 0 to the number of blocks - 1
     * @return the tick that wrote the poses, if the moment shows them unblended: poses of the same version are equal, relative to the
     *     origin of {@link #shown()}; {@link Snapshot#NEVER_WRITTEN} if they are blended
     */
    public long restingSince(int b) {
        return versionToCopy(b);
    }

    /**
     * The poses of a block, to be read immediately, while they are in the processor's cache: the stored block if it need not be blended,
     * otherwise {@code scratch}.
     */
    PoseBlock blockOrBlendInto(int b, PoseBlock scratch) {
        if (blendedMoment[b] == moment) {
            return blended.block(b);
        }
        if (versionToCopy(b) != Snapshot.NEVER_WRITTEN) {
            return shown.poses().block(b);
        }
        blendInto(b, scratch);
        return scratch;
    }

    /** Creates a block with as many channels as those of the snapshots. */
    PoseBlock newBlock() {
        return new PoseBlock(shown.layout().channels().size());
    }

    private void blendInto(int b, PoseBlock out) {
        int n = shown.poses().slotsIn(b);
        if (versionToCopy(b) != Snapshot.NEVER_WRITTEN) {
            out.copyFrom(shown.poses().block(b), 0, n);
        } else if (ahead > 0) {
            predictor.predict(earliest, from, to, b, out, n);
        } else {
            blender.blend(from, to, b, out, n);
        }
    }

    /** The version of a block's poses if the moment shows them unblended, otherwise NEVER_WRITTEN. */
    private long versionToCopy(int b) {
        boolean inBoth = b < from.poses().blockCount() && b < to.poses().blockCount();
        boolean atATick = ahead == 0 && (alpha == 0 || alpha == 1);
        if (atATick || !inBoth || !isMoving(b)) {
            MotionBlock motion = shown.motion(b);
            return motion.changedTick();
        }
        return Snapshot.NEVER_WRITTEN;
    }

    private void sayHow(PoseLayout layout) {
        if (ahead > 0 && !saidHow && how.positions() == Interpolation.Positions.HERMITE && !layout.hasTangents()) {
            saidHow = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "This view looks ahead by velocities, but its snapshots have none: positions go on linearly, as in the last tick."
                            + " A layout with Tangents.DERIVED or GIVEN has velocities.");
        }
    }

    private boolean isMoving(int b) {
        long changedTick = to.motion(b).changedTick();
        return changedTick == to.tick() || (ahead > 0 && changedTick == from.tick()); // what was predicted still fades
    }

    private void resize() {
        if (blended.channelCount() != shown.layout().channels().size()) {
            blended = new PoseBlocks(0, shown.layout());
        }
        blended.resize(shown.poses().slotCount());
        int count = blended.blockCount();
        moment++;
        int known = copiedVersion.length;
        if (count > known) {
            blendedMoment = Arrays.copyOf(blendedMoment, count);
            copiedVersion = Arrays.copyOf(copiedVersion, count);
            Arrays.fill(copiedVersion, known, count, Snapshot.NEVER_WRITTEN);
        }
    }
}
