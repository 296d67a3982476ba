package dev.escapement.render.interpolation;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Blends the world at a moment from one tick to the next. It blends each block when a caller reads it.
 *
 * <p>A body with a broken motion keeps its previous pose until the current tick. A body that the previous tick lacks appears at the current
 * one. A body with a parent is blended in the frame of its parent, another body about its centre of mass. At alpha 0 and 1 the poses equal
 * the poses of a snapshot exactly, so that a moment looks the same from every window. A block in which nothing moved is copied once.
 *
 * <pre>{@code
 * interpolator.show(previous, current, 0.25f);
 * PoseBlocks poses = interpolator.poses();
 * }</pre>
 *
 * <p>One thread, and only while the snapshots are held. Allocates nothing unless the number of bodies grows.
 */
public final class Interpolator implements ShownWorld {

    private static final Snapshot EMPTY = new Snapshot(PoseLayout.PLAIN);

    private final BlockBlender blender = new BlockBlender();
    private final BlockPredictor predictor = new BlockPredictor(this);
    final CorrectionFade fade;
    private final ChildBlender children = new ChildBlender(this);
    private PoseBlocks blended = new PoseBlocks(0);

    /** Poses blended as if no body had a parent; empty until a body has one. */
    private PoseBlocks inWorld = new PoseBlocks(0);

    Snapshot beforePrevious = EMPTY;
    Snapshot previous = EMPTY;
    Snapshot current = EMPTY;
    private Snapshot shown = EMPTY;
    float alpha;
    float ahead;

    /** The number of moments so far. A block that was blended for an earlier moment is stale. */
    private long moment;

    /** Per block: the number of the moment whose poses {@link #blended} holds. */
    private long[] blendedMoment = {};

    /** Per block: the tick that wrote its poses if {@link #blended} holds an unblended copy of them, otherwise NEVER_WRITTEN. */
    private long[] copiedVersion = {};

    /** Per block: the number of the moment whose poses {@link #inWorld} holds. */
    private long[] worldMoment = {};

    /**
     * Creates an interpolator.
     *
     * @param interpolation how long errors fade
     */
    public Interpolator(Interpolation interpolation) {
        fade = new CorrectionFade(interpolation.fadeNanos());
    }

    /**
     * Sets the moment. All snapshots must be of one exchange.
     *
     * @param newPrevious the snapshot at or before the moment
     * @param newCurrent  the snapshot of the next tick
     * @param newAlpha    0 for {@code newPrevious} to 1 for {@code newCurrent}
     * @throws IllegalArgumentException if alpha is out of its range, or the ticks are not consecutive
     */
    public void show(Snapshot newPrevious, Snapshot newCurrent, float newAlpha) {
        show(newPrevious, newPrevious, newCurrent, newAlpha, 0);
    }

    /**
     * Sets a moment that may be predicted: {@code newAhead} ticks after the one that {@code newAlpha} names. All snapshots must be of one
     * exchange.
     *
     * @param newBeforePrevious the snapshot of the tick before {@code newPrevious}; {@code newPrevious} itself if that snapshot is not
     *                          known: then an error of the older prediction jumps instead of fading
     * @param newPrevious       the snapshot at or before the moment without prediction
     * @param newCurrent        the snapshot of the next tick, the newest that is used
     * @param newAlpha          0 for {@code newPrevious} to 1 for {@code newCurrent}, without prediction
     * @param newAhead          0 to {@value Interpolation#MAX_TICKS_AHEAD} ticks
     * @throws IllegalArgumentException if a number is out of its range, or the ticks are not consecutive
     */
    public void show(
            Snapshot newBeforePrevious, Snapshot newPrevious, Snapshot newCurrent, float newAlpha, float newAhead) {
        if (!(newAhead >= 0 && newAhead <= Interpolation.MAX_TICKS_AHEAD)) {
            throw new IllegalArgumentException("a moment can be predicted 0 to " + Interpolation.MAX_TICKS_AHEAD
                    + " ticks ahead, but not " + newAhead);
        }
        if (!(newAlpha >= 0 && newAlpha <= 1)) {
            throw new IllegalArgumentException("alpha must be within 0 and 1, but is " + newAlpha);
        }
        if (newCurrent.tick() != newPrevious.tick() + 1) {
            throw new IllegalArgumentException("only consecutive ticks can be blended, but these are "
                    + newPrevious.tick() + " and " + newCurrent.tick());
        }
        if (newBeforePrevious != newPrevious && newBeforePrevious.tick() != newPrevious.tick() - 1) {
            throw new IllegalArgumentException("the tick before " + newPrevious.tick() + " is "
                    + (newPrevious.tick() - 1) + ", but this snapshot is of tick " + newBeforePrevious.tick());
        }
        beforePrevious = newBeforePrevious;
        previous = newPrevious;
        current = newCurrent;
        alpha = newAlpha;
        ahead = newAhead;
        shown = alpha + ahead < 1 ? previous : current;
        if (ahead > 0) {
            predictor.begin();
        }
        resize();
    }

    /**
     * Fades the errors of displayed poses, which re-simulations have corrected. Call this once for each frame, before {@link #show}.
     *
     * @param window       the window of the frame
     * @param newestTick   the newest tick that the frame shows; ticks that are new since the last frame may correct more errors
     * @param displayNanos when the frame is displayed
     */
    public void fadeErrors(Window window, long newestTick, long displayNanos) {
        fade.advance(window, newestTick, displayNanos);
    }

    /** {@return the snapshot whose bodies, user data and origin apply at the moment} Positions are relative to its origin. */
    @Override
    public Snapshot shown() {
        return shown;
    }

    /** {@return all poses at the moment, overwritten for the next one} Poses in slots without a body are meaningless. */
    @Override
    public PoseBlocks poses() {
        for (int b = 0; b < blended.blockCount(); b++) {
            block(b);
        }
        return blended;
    }

    /**
     * {@return the poses of one block at the moment, overwritten for the next one}
     *
     * @param b 0 to the number of blocks - 1
     */
    public PoseBlock block(int b) {
        PoseBlock block = blended.block(b);
        if (blendedMoment[b] != moment) {
            long version = restingSince(b);
            if (version == Snapshot.NEVER_WRITTEN || version != copiedVersion[b]) {
                copiedVersion[b] = Snapshot.NEVER_WRITTEN; // remains if an exception ends the copy half-way
                blendInto(b, block);
                copiedVersion[b] = version;
            }
            blendedMoment[b] = moment;
        }
        return block;
    }

    /**
     * Returns the version of a block's poses, for callers that keep values derived from them.
     *
     * @param b 0 to the number of blocks - 1
     * @return the tick that wrote the poses, if the moment shows them unblended: poses of the same version are equal, relative to the
     *     origin of {@link #shown()}; {@link Snapshot#NEVER_WRITTEN} if they are blended, or an error of them fades
     */
    public long restingSince(int b) {
        return fade.isFading(b) || isBlended(b)
                ? Snapshot.NEVER_WRITTEN
                : shown.motion(b).changedTick();
    }

    /** Returns whether the poses of a block are blended; if not, they are those of {@link #shown}. Errors that fade are not considered. */
    private boolean isBlended(int b) {
        boolean isAtATick = ahead == 0 && (alpha == 0 || alpha == 1);
        boolean isInBoth =
                b < previous.poses().blockCount() && b < current.poses().blockCount();
        if (isAtATick || !isInBoth) {
            return false;
        }
        long changedTick = current.motion(b).changedTick();
        return changedTick == current.tick()
                || (ahead > 0 && changedTick == previous.tick()); // the error of the older prediction still fades
    }

    /**
     * Returns the poses of a block to read once and immediately, while they are in the processor's cache: the stored block if nothing is
     * blended, otherwise {@code scratch}.
     *
     * @param b       0 to the number of blocks - 1
     * @param scratch a block of the caller's, with as many channels as {@link #shown()} has
     * @return the poses at the moment, only to be read
     */
    public PoseBlock blockOrBlendInto(int b, PoseBlock scratch) {
        if (blendedMoment[b] == moment) {
            return blended.block(b);
        }
        if (restingSince(b) != Snapshot.NEVER_WRITTEN) {
            return shown.poses().block(b);
        }
        blendInto(b, scratch);
        return scratch;
    }

    private void blendInto(int b, PoseBlock out) {
        int n = shown.poses().slotsIn(b);
        if (!isBlended(b)) {
            out.copyFrom(shown.poses().block(b), 0, n);
        } else if (current.bodyBlock(b).childCount() + previous.bodyBlock(b).childCount() > 0) {
            out.copyFrom(inWorld(b), 0, n);
            children.blend(b, out, n);
        } else {
            blendInWorld(b, out, n);
        }
        if (fade.isFading(b)) {
            fade.apply(b, shown, out);
        }
    }

    /** Returns a block's poses, blended as if no body had a parent, and without errors that fade. Only to be read. */
    PoseBlock inWorld(int b) {
        if (!isBlended(b)) {
            return shown.poses().block(b);
        }
        if (worldMoment[b] != moment) {
            inWorld.resize(blended.slotCount());
            blendInWorld(b, inWorld.block(b), shown.poses().slotsIn(b));
            worldMoment[b] = moment;
        }
        return inWorld.block(b);
    }

    /**
     * Returns how many slots of a block may have bodies in both ticks. If one of the blocks has no room for a slot, the body in that slot
     * of the other block was spawned or despawned between the two ticks.
     */
    static int slotsInBoth(PoseBlock previous, PoseBlock current, int n) {
        return Math.min(n, Math.min(previous.room(), current.room()));
    }

    float ticksSincePrevious() {
        return alpha + ahead;
    }

    /** The weight of the older prediction, which extrapolates from the previous tick. */
    float olderWeight() {
        return ahead > 0 ? predictor.olderWeight : 0;
    }

    private void blendInWorld(int b, PoseBlock out, int n) {
        if (ahead > 0) {
            predictor.predict(b, out, n);
        } else {
            blender.blend(previous, current, alpha, b, out, n);
        }
    }

    private void resize() {
        if (blended.channelCount() != shown.poses().channelCount()) {
            blended = new PoseBlocks(0, shown.layout());
            inWorld = new PoseBlocks(0, shown.layout());
        }
        blended.resize(shown.poses().slotCount());
        int count = blended.blockCount();
        moment++;
        int known = copiedVersion.length;
        if (count > known) {
            blendedMoment = Arrays.copyOf(blendedMoment, count);
            copiedVersion = Arrays.copyOf(copiedVersion, count);
            worldMoment = Arrays.copyOf(worldMoment, count);
            Arrays.fill(copiedVersion, known, count, Snapshot.NEVER_WRITTEN);
        }
    }
}
