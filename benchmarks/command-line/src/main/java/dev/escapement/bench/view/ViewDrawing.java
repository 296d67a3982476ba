package dev.escapement.bench.view;

import dev.escapement.bench.view.BodyDrag.Pointer;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.BodyShapes;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.ImageOverlay;
import dev.escapement.render.lwjgl.SceneDrawing;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.WorldControl;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws the window of a {@link Viewer}: the world, or on the left the same world as {@link TwoLatestView} shows it; above each what it is,
 * below each its errors.
 *
 * <p>Render thread, except where a method says otherwise. Allocates for dragging, when the layout changes, and for texts 15 times a second;
 * other frames allocate nothing.
 */
final class ViewDrawing implements WindowDrawing {

    private static final long STRIP_NANOS = 66_000_000;
    private static final int MARGIN = 12;
    private static final String LEFT = "A game loop: the two latest snapshots, blended by arrival";
    private static final String RIGHT = "Escapement: by the times at which ticks were due";

    private final SceneView scene;
    private final Supplier<Look> looks;
    private final Supplier<Pointer> pointers;
    private final BooleanSupplier wantsSplit;
    private final Supplier<ShownSpeed.Asked> asked;
    private final SceneDrawing drawing;
    private final BodyDrag drag;

    // Volatile: written by the main thread before the render loop starts, read by the render thread.
    private volatile @Nullable TwoLatestView twoLatest;
    private volatile @Nullable InputRing input;
    private volatile @Nullable KnownShapes shapes;

    // Volatile: written by the render thread, read by the main thread for the title.
    private volatile ErrorStrip leftStrip = new ErrorStrip();
    private volatile ErrorStrip rightStrip = new ErrorStrip();

    private @Nullable BufferedImage leftImage;
    private @Nullable BufferedImage rightImage;

    /** Draws the texts and the strips; null before open(). */
    private @Nullable ImageOverlay overlay;

    /** By slot: what the world has told; null if not known. */
    private final List<@Nullable BodyShape> known = new ArrayList<>();

    private final Caption leftCaption = new Caption();
    private final Caption rightCaption = new Caption();
    private final Caption timeCaption = new Caption();

    private final ShownSpeed speed = new ShownSpeed();

    private @Nullable Layout layout;
    private boolean draggedOnTheLeft;
    private long stripNanos;

    /** The parts of the window, until something of it changes: the right one begins at {@code right}; the left one is drawn if split. */
    private record Layout(boolean split, int width, int height, Look look, int part, Camera camera) {

        int right() {
            return width - part;
        }
    }

    /** The suppliers are read at the start of each frame. */
    ViewDrawing(
            SceneView scene,
            int draggable,
            Supplier<Look> looks,
            Supplier<Pointer> pointers,
            BooleanSupplier wantsSplit,
            Supplier<ShownSpeed.Asked> asked) {
        this.scene = scene;
        this.looks = looks;
        this.pointers = pointers;
        this.wantsSplit = wantsSplit;
        this.asked = asked;
        drawing = new SceneDrawing(scene, this::describe);
        drag = new BodyDrag(draggable, scene.boxHalfExtent(), NanoClock.system());
    }

    /**
     * Main thread, before the render loop of the run starts.
     *
     * @param newTwoLatest the other view; without it no errors are shown
     * @param world        is asked for the shapes of its bodies; without it all are cubes
     */
    void show(@Nullable TwoLatestView newTwoLatest, InputRing newInput, @Nullable WorldControl world) {
        twoLatest = newTwoLatest;
        input = newInput;
        shapes = world == null ? null : new KnownShapes(world, System.nanoTime(), this::learn);
    }

    private void learn(BodyShape shape, int slot) {
        while (known.size() <= slot) {
            known.add(null);
        }
        known.set(slot, shape);
    }

    private void describe(int slot, long userData, BodyShapes.Shape shape) {
        KnownShapes asked = shapes;
        BodyShape like = asked != null && asked.isKnown(slot) ? known.get(slot) : null;
        if (like != null) {
            shape.like(like);
        } else if (asked != null && !asked.isAnswered(slot)) {
            shape.hide();
        }
    }

    /** What is on each side, and its mean animation error. Any thread. */
    String sides() {
        return String.format(
                Locale.ROOT,
                "left: the two latest snapshots by arrival, error %.2f ms   right: Escapement, error %.2f ms",
                leftStrip.meanMillis(),
                rightStrip.meanMillis());
    }

    @Override
    public void open() {
        drawing.open();
        overlay = new ImageOverlay();
        rightStrip = new ErrorStrip();
        layout = null;
        stripNanos = 0;
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        KnownShapes asked = shapes;
        if (asked != null) {
            asked.update(view.shown(), System.nanoTime());
        }
        TwoLatestView left = twoLatest;
        boolean split = wantsSplit.getAsBoolean() && left != null && left.advance(System.nanoTime());
        Layout now = layout(split, width, height);
        if (left != null && split) {
            drawing.draw(0, now.part(), height, now.camera(), left.moment());
        }
        drawing.draw(now.right(), now.part(), height, now.camera(), view.interpolator());
        dragBody(now, view);
        if (left != null) {
            Timeline timeline = view.window().timeline();
            rightStrip.frame(
                    view.clock().shownSimNanos(), timeline, view.clock().displayNanos());
            if (split) {
                leftStrip.frame(left.shownSimNanos(), timeline, view.clock().displayNanos());
            }
            drawTexts(now, view);
        }
    }

    private Layout layout(boolean split, int width, int height) {
        Look look = looks.get();
        Layout last = layout;
        if (last != null
                && last.split == split
                && last.width == width
                && last.height == height
                && last.look.equals(look)) {
            return last;
        }
        if (split && (last == null || !last.split())) {
            leftStrip = new ErrorStrip();
        }
        int part = split ? Math.max(1, width / 2) : width;
        layout = new Layout(split, width, height, look, part, look.camera(scene, part, width, height));
        return layout;
    }

    private void dragBody(Layout now, FrameView view) {
        Pointer pointer = pointers.get();
        if (drag.isPressed(pointer)) {
            draggedOnTheLeft = now.split() && pointer.x() < 0.5;
        }
        double across = !now.split() ? pointer.x() : draggedOnTheLeft ? 2 * pointer.x() : 2 * pointer.x() - 1;
        Bodies bodies = view.window().newest().bodies();
        InputRing ring = Objects.requireNonNull(input, "a viewer draws after begin");
        drag.frame(pointer, across, now.camera(), view.poses(), bodies, ring);
    }

    private void drawTexts(Layout now, FrameView view) {
        long displayNanos = view.clock().displayNanos();
        ImageOverlay over = Objects.requireNonNull(overlay, "a viewer draws after open");
        if (displayNanos - stripNanos >= STRIP_NANOS) {
            stripNanos = displayNanos;
            leftImage = leftStrip.image();
            rightImage = rightStrip.image();
            leftCaption.text(now.split() ? LEFT : "");
            rightCaption.text(now.split() ? RIGHT : "");
            timeCaption.text(speed.text(asked.get(), view.clock().shownSimNanos(), displayNanos));
        }
        int top = now.height() - ErrorStrip.HEIGHT - MARGIN;
        if (now.split() && leftImage != null) {
            over.draw(leftImage, MARGIN, top, now.height());
        }
        if (rightImage != null) {
            over.draw(rightImage, now.right() + MARGIN, top, now.height());
        }
        leftCaption.draw(over, 0, now.part(), MARGIN, now.height());
        rightCaption.draw(over, now.right(), now.part(), MARGIN, now.height());
        timeCaption.draw(over, 0, now.width(), 2 * MARGIN + Caption.HEIGHT, now.height());
    }

    @Override
    public void close() {
        drawing.close();
        if (overlay != null) {
            overlay.close();
            overlay = null;
        }
        if (twoLatest != null) {
            twoLatest.close();
        }
    }
}
