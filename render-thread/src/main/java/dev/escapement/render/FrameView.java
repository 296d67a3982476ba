package dev.escapement.render;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.display.DisplayRhythm;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.joml.Matrix4f;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/**
 * Holds the latest window of snapshots for one consumer, and blends two of them for each frame.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * if (view.advance(System.nanoTime())) {
 *     draw(view.poses());
 * }
 * }</pre>
 *
 * <p>One thread at a time: the first one that uses a view owns it, until {@link #handOver()} or until that thread ends. Allocates nothing
 * unless the number of bodies grows.
 */
public final class FrameView implements ShownWorld, AutoCloseable {

    /** A frame that is more than this after the service clock's time is refused, because its instant must be of another clock. */
    private static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A first frame that is more than this before the service clock's time is refused, because threads are hardly suspended so long. */
    private static final long MAX_BEHIND_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final float PI = (float) Math.PI;

    private final SnapshotReader reader;
    private final @Nullable NanoClock serviceClock;
    private final RenderClock clock;
    private final Interpolator interpolator;

    /** Null if the thread of the frames also runs the ticks. Then each frame shows the moment of its call, and no rhythm is needed. */
    private final @Nullable DisplayRhythm rhythm;

    // A frame has four instants:
    //   call     the caller asks for it
    //   target   its call as the interpolation delay counts it: an early call of a learned rhythm counts as usual
    //   display  the display shows it, as the caller says
    //   slot     the display shows it, as the learned rhythm says; without one, the display time
    // The last frame has these; the clock has its slot.
    private long lastCallNanos;
    private long lastTargetNanos;
    private long lastDisplayNanos;

    final BodyChanges changes = new BodyChanges();

    /** True if the view was closed after at least one frame. The poses of the last frame stay readable. */
    private boolean posesRemain;

    private FrameView(
            SnapshotReader reader, Interpolation interpolation, RenderClock clock, @Nullable DisplayRhythm rhythm) {
        if (reader.hasWindow()) {
            throw new IllegalArgumentException("this reader already holds a window, but a view must acquire its first"
                    + " one itself; pass a new reader, FrameView.of(physics.newReader())");
        }
        this.reader = reader;
        serviceClock = reader.clock();
        this.clock = clock;
        this.rhythm = rhythm;
        interpolator = new Interpolator(interpolation);
    }

    /**
     * Creates a view that owns a reader.
     *
     * @param reader a new reader, which nothing else uses
     * @return a view for the first thread that advances it
     * @throws IllegalArgumentException if the reader holds a window
     */
    public static FrameView of(SnapshotReader reader) {
        return of(reader, Interpolation.DEFAULT);
    }

    /**
     * Creates a view that owns a reader.
     *
     * @param reader        a new reader, which nothing else uses
     * @param interpolation how far to look ahead, and how long errors fade
     * @return a view for the first thread that advances it
     * @throws IllegalArgumentException if the reader holds a window, or if the view looks ahead and its windows have less than {@value
     *                                  Interpolation#MIN_SNAPSHOTS} snapshots
     */
    public static FrameView of(SnapshotReader reader, Interpolation interpolation) {
        if (interpolation.predicts() && reader.windowSize() < Interpolation.MIN_SNAPSHOTS) {
            throw new IllegalArgumentException("a view that looks ahead needs windows of at least "
                    + Interpolation.MIN_SNAPSHOTS + " snapshots, but those of this reader have "
                    + reader.windowSize() + "; build the service with windowSize(" + Interpolation.MIN_SNAPSHOTS
                    + ")");
        }
        return new FrameView(reader, interpolation, new RenderClock(interpolation), new DisplayRhythm());
    }

    /**
     * Creates a view for a loop that runs the ticks itself. The view shows the world exactly one tick late.
     *
     * @param reader a new reader, which nothing else uses
     * @return a view for the thread that runs the frames
     * @throws IllegalArgumentException if the reader holds a window
     */
    public static FrameView inline(SnapshotReader reader) {
        return new FrameView(reader, Interpolation.DEFAULT, RenderClock.inline(), null);
    }

    /**
     * Advances to a frame: takes the latest window and chooses the simulated time to show. Poses are blended when they are read.
     *
     * <p>If a display of 24 to 360 Hz paces the calls, each frame shows the moment of its slot, that is, when the display will show it,
     * however early or late the call comes. The view learns the display's rhythm from the calls of about a second. Until then, with a
     * variable refresh rate, and in a loop that runs the ticks itself, a frame shows the moment of its call. The slot is at most half a
     * display period from the call: see {@link RenderClock#displayNanos}.
     *
     * <p>A view cannot distinguish an even frame limiter from a display of the same rate. If the display has a variable rate and shows each
     * frame when it comes, call {@code advance(now, now)}, which shows the moment of each call.
     *
     * <p>Two views in one picture show different moments until both have learned the rhythm. Let one view learn, and pass its display time
     * to the other: {@code other.advance(now, view.clock().displayNanos())}.
     *
     * @param callNanos when the frame is made, an instant of the service's clock
     * @return false if there is nothing to show yet
     * @throws IllegalArgumentException if {@code callNanos} is before the last frame, or not an instant of the service's clock
     * @throws IllegalStateException    if used by two threads, or closed
     */
    public boolean advance(long callNanos) {
        return advance(callNanos, callNanos, rhythm);
    }

    /**
     * Advances to a frame for backends that know when the display will show it. The view learns nothing from the call. The interpolation
     * delay includes the lead between the two instants, so that the snapshots are published when the frame is made.
     *
     * @param callNanos    when the frame is made, an instant of the service's clock
     * @param displayNanos when it will be displayed
     * @return false if there is nothing to show yet
     * @throws IllegalArgumentException if {@code callNanos} is before the last call, or {@code displayNanos} before the display of the last
     *                                  frame; or if an instant is not of the service's clock: more than 1 s ahead of it, or, for the first
     *                                  frame, more than a minute behind
     * @throws IllegalStateException    if used by two threads, or closed
     */
    public boolean advance(long callNanos, long displayNanos) {
        return advance(callNanos, displayNanos, null);
    }

    /** Advances to the display slot that {@code learning} computes for the call, or to {@code displayNanos} if {@code learning} is null. */
    private boolean advance(long callNanos, long displayNanos, @Nullable DisplayRhythm learning) {
        if (!reader.hasWindow()) {
            requireInstant(callNanos); // perhaps too old, although its display time is not
        }
        requireInstant(later(callNanos, displayNanos));
        long targetNanos = callNanos;
        long slotNanos = displayNanos;
        // Without a window, only clock.advance() checks the thread, and nothing may change before that check.
        if (reader.hasWindow()) {
            requireForwards(callNanos);
            if (learning != null) {
                slotNanos = learning.displayNanos(callNanos);
                targetNanos = learning.targetNanos();
            }
            targetNanos = later(targetNanos, lastTargetNanos);
            if (displayNanos - lastDisplayNanos >= 0) { // else clock.advance() refuses the caller's display time
                slotNanos = later(slotNanos, clock.displayNanos()); // never before the slot of the last frame
            }
        }
        if (!clock.advance(targetNanos, slotNanos, reader)) {
            return false;
        }
        lastCallNanos = callNanos;
        lastTargetNanos = targetNanos;
        lastDisplayNanos = displayNanos;
        show();
        return true;
    }

    private void show() {
        Window window = reader.window();
        long tick = clock.tick();
        float alpha = clock.alpha();
        float ahead = clock.aheadTicks();
        interpolator.fadeErrors(window, alpha + ahead > 0 ? tick + 1 : tick, clock.displayNanos());
        int index = (int) (tick - window.oldestTick());
        Snapshot previous = window.snapshot(index);
        Snapshot current = window.snapshot(index + 1);
        Snapshot beforePrevious = index > 0 ? window.snapshot(index - 1) : previous;
        interpolator.show(beforePrevious, previous, current, alpha, ahead);
    }

    /** Throws if the calling thread is not the owner, then if the instant cannot be of the service's clock. */
    private void requireInstant(long nanos) {
        if (reader.hasWindow()) {
            reader.window(); // throws for another thread, before anything changes
        }
        if (serviceClock == null) {
            return;
        }
        long serviceNanos = serviceClock.nanoTime();
        long aheadNanos = nanos - serviceNanos;
        if (aheadNanos > MAX_AHEAD_NANOS || (!reader.hasWindow() && aheadNanos < -MAX_BEHIND_NANOS)) {
            throw new IllegalArgumentException("a frame at " + nanos + " ns is " + Math.abs(aheadNanos / 1_000_000)
                    + " ms " + (aheadNanos > 0 ? "ahead of" : "behind") + " the service's clock, which is at "
                    + serviceNanos
                    + " ns; pass System.nanoTime() (inline: the driver's clock), not System.currentTimeMillis(), nor"
                    + " glfwGetTime(), whose seconds begin elsewhere");
        }
    }

    /** Throws if a call precedes the last one. The clock cannot check this: it receives other instants, which may precede their calls. */
    private void requireForwards(long callNanos) {
        if (callNanos - lastCallNanos < 0) {
            throw new IllegalArgumentException("the clock went backwards by " + (lastCallNanos - callNanos)
                    + " ns from one frame to the next, to " + callNanos
                    + "; give every frame an instant of the service's clock, System.nanoTime()");
        }
    }

    private static long later(long nanos, long otherNanos) {
        return otherNanos - nanos > 0 ? otherNanos : nanos;
    }

    /**
     * Blends the poses of all bodies, measured from the origin of {@link #shown()}.
     *
     * @return the poses of the last frame, overwritten after the next {@link #advance}, readable also when this view is closed
     * @throws IllegalStateException if there is nothing to show yet, or this view's thread died, and a new reader took over its reader's
     *                               slot before this view was closed
     */
    @Override
    public PoseBlocks poses() {
        // A closed view keeps its blended poses. For an open view, interpolator() checks that the reader has snapshots.
        return posesRemain ? interpolator.poses() : interpolator().poses();
    }

    /**
     * Returns the interpolator, to read poses block by block or in another form.
     *
     * @return the interpolator at the moment that the last frame shows, valid until the next {@link #advance}
     * @throws IllegalStateException if there is nothing to show yet, or this view is closed
     */
    public Interpolator interpolator() {
        reader.window(); // throws if the reader does not hold the snapshots to blend
        return interpolator;
    }

    /**
     * Returns the snapshot with the bodies of the frame, and the origin of their poses.
     *
     * @return the snapshot, valid until the next {@link #advance}
     * @throws IllegalStateException if there is nothing to show yet, or this view is closed
     */
    @Override
    public Snapshot shown() {
        return interpolator().shown();
    }

    /**
     * {@return true if a body is in the frame; false before the first frame, and on a closed view}
     *
     * @param id the id of any body, even one that has despawned or not yet spawned
     */
    public boolean contains(long id) {
        return hasWindow() && shown().bodies().exists(id);
    }

    /**
     * {@return {@code out}, the position of one body}
     *
     * @param id  the body's id
     * @param out metres from the origin of {@link #shown()}
     * @throws java.util.NoSuchElementException if that body is not in the frame, even if another body now has its slot
     * @throws IllegalStateException            if there is nothing to show yet, or this view is closed
     */
    public Vector3f position(long id, Vector3f out) {
        PoseBlock block = blockOf(id);
        int i = BodyId.slot(id) & PoseBlock.MASK;
        return out.set(block.px[i], block.py[i], block.pz[i]);
    }

    /**
     * {@return {@code out}, the rotation of one body}
     *
     * @param id  the body's id
     * @param out a unit quaternion
     * @throws java.util.NoSuchElementException if that body is not in the frame, even if another body now has its slot
     * @throws IllegalStateException            if there is nothing to show yet, or this view is closed
     */
    public Quaternionf rotation(long id, Quaternionf out) {
        PoseBlock block = blockOf(id);
        int i = BodyId.slot(id) & PoseBlock.MASK;
        return out.set(block.qx[i], block.qy[i], block.qz[i], block.qw[i]);
    }

    /**
     * Returns the angle by which a body is rotated about z, without whole rotations, for games in a plane.
     *
     * @param id the body's id
     * @return radians in (-pi, pi], counter-clockwise with x to the right, y up, and z towards the viewer; 0 without a rotation. For a body
     *     that also tilts, the part of its rotation that is about z
     * @throws java.util.NoSuchElementException if that body is not in the frame, even if another body now has its slot
     * @throws IllegalStateException            if there is nothing to show yet, or this view is closed
     */
    public float angleOf(long id) {
        PoseBlock block = blockOf(id);
        int i = BodyId.slot(id) & PoseBlock.MASK;
        float angle = 2 * (float) Math.atan2(block.qz[i], block.qw[i]); // -q, the same rotation, differs by 2 pi
        if (angle > PI) {
            return angle - 2 * PI;
        }
        return angle <= -PI ? angle + 2 * PI : angle;
    }

    /**
     * {@return {@code out}, the transform of one body}
     *
     * @param id  the body's id
     * @param out transforms the body's axes to metres from the origin of {@link #shown()}
     * @throws java.util.NoSuchElementException if that body is not in the frame, even if another body now has its slot
     * @throws IllegalStateException            if there is nothing to show yet, or this view is closed
     */
    public Matrix4f transform(long id, Matrix4f out) {
        PoseBlock block = blockOf(id);
        int i = BodyId.slot(id) & PoseBlock.MASK;
        return out.translationRotate(
                block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]);
    }

    /**
     * {@return {@code out}, the position of the body in a slot, for loops over all slots}
     *
     * @param slot the body's slot
     * @param out  metres from the origin of {@link #shown()}
     * @throws IndexOutOfBoundsException if there is no such body in the frame
     * @throws IllegalStateException     if there is nothing to show yet, or this view is closed
     */
    public Vector3f positionOfSlot(int slot, Vector3f out) {
        return position(shown().bodies().id(slot), out);
    }

    /**
     * {@return {@code out}, the rotation of the body in a slot, for loops over all slots}
     *
     * @param slot the body's slot
     * @param out  a unit quaternion
     * @throws IndexOutOfBoundsException if there is no such body in the frame
     * @throws IllegalStateException     if there is nothing to show yet, or this view is closed
     */
    public Quaternionf rotationOfSlot(int slot, Quaternionf out) {
        return rotation(shown().bodies().id(slot), out);
    }

    /**
     * Returns the angle by which the body in a slot is rotated about z, for loops over all slots of games in a plane.
     *
     * @param slot the body's slot
     * @return radians in (-pi, pi], counter-clockwise as in {@link #angleOf}
     * @throws IndexOutOfBoundsException if there is no such body in the frame
     * @throws IllegalStateException     if there is nothing to show yet, or this view is closed
     */
    public float angleOfSlot(int slot) {
        return angleOf(shown().bodies().id(slot));
    }

    /** Returns the block of a body that the frame has. */
    private PoseBlock blockOf(long id) {
        return interpolator.block(shown().bodies().slotOf(id) >>> PoseBlock.SHIFT);
    }

    /**
     * Visits each body that appeared or vanished since the last call once, however many ticks passed. A body that spawned and despawned
     * between two calls is not visited. If a slot has a new body, its old body vanishes before the new one appears.
     *
     * @param visitor called for each change; if it throws, the remaining changes are visited by the next call
     * @throws IllegalStateException if there is nothing to show yet, or this view is closed
     */
    public void changes(BodyVisitor visitor) {
        changes.visit(shown(), Objects.requireNonNull(visitor, "visitor must not be null"));
    }

    /** {@return the clock that chooses the simulated time to show} The clock has the ticks that the frame blends, and its display time. */
    public RenderClock clock() {
        return clock;
    }

    /** {@return true if {@link #window()} has a window} */
    public boolean hasWindow() {
        return reader.hasWindow();
    }

    /**
     * {@return the window that the frame was taken from, held until the next {@link #advance}}
     *
     * @throws IllegalStateException if there is none yet
     */
    public Window window() {
        return reader.window();
    }

    /**
     * Releases ownership: the next thread that uses this view becomes its owner, and sees what the old owner did. Call this at the end of
     * each slice in a pool whose threads advance the view in slices.
     *
     * @throws IllegalStateException if this view is closed, or belongs to another thread
     */
    public void handOver() {
        // release: pairs with the acquire in the next owner's check of the reader;
        // without it the next owner could see half of a frame
        reader.handOver();
    }

    /**
     * Closes the reader. Idempotent. Only the owner may call this; after a hand-over or the owner's death, any thread may.
     *
     * @throws IllegalStateException if the view belongs to another thread, which is alive; the view stays open
     */
    @Override
    public void close() {
        try {
            if (reader.hasWindow()) {
                reader.window(); // throws for another thread, before anything changes
                interpolator.poses(); // blends all bodies while the reader still holds the snapshots
                posesRemain = true;
            }
        } finally {
            reader.close(); // refuses another thread, too
        }
    }

    @Override
    public String toString() {
        return "FrameView[tick " + clock.tick() + " + " + clock.alpha() + "]";
    }
}
