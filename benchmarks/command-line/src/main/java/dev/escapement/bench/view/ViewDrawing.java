package dev.escapement.bench.view;

import dev.escapement.bench.view.AccumulatorLoop.Picture;
import dev.escapement.bench.view.ViewMouse.Look;
import dev.escapement.bench.view.ViewMouse.Pointer;
import dev.escapement.bench.view.Viewer.Settings;
import dev.escapement.bench.view.Viewer.Shown;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.ImageOverlay;
import dev.escapement.render.lwjgl.SceneDrawing;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.Viewport;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws the window of a {@link Viewer}: the world, or the world beside itself, and the figures over it.
 *
 * <p>Render thread, but for {@link #show}. Allocates for dragging, and where something else is to be shown; a frame allocates nothing.
 */
final class ViewDrawing implements WindowDrawing {

    private static final long FIGURES_NANOS = TimeUnit.MILLISECONDS.toNanos(66);
    private static final int STRIP_FRAMES = 240;
    private static final int MARGIN = 12;

    /** Of the bodies of the world beside, which is a new one each time and keeps all its bodies. */
    private static final int FIRST_GENERATION = 1;

    private final SceneView scene;
    private final Supplier<Settings> settings;
    private final ViewMouse mouse;
    private final SceneDrawing drawing;
    private final BodyDrag drag;
    private final Hud hud = new Hud(); // loads the fonts, before any frame is due
    private final Hud.Figures figures = new Hud.Figures();
    private final Consumer<BodyDrag.Event> offering = this::offer;

    // Volatile: written by the main thread before the render loop starts, read by the render thread.
    private volatile @Nullable Shown shown;

    private volatile @Nullable InputRing input;

    private ErrorStrip leftStrip = new ErrorStrip(STRIP_FRAMES);
    private ErrorStrip rightStrip = new ErrorStrip(STRIP_FRAMES);
    private AnimationError leftError = new AnimationError("beside");
    private AnimationError rightError = new AnimationError("shown");

    /** The panel, and the bars on the left and on the right; none before it was opened. */
    private List<ImageOverlay> overlays = List.of();

    private @Nullable Picture picture;
    private @Nullable Look cameraLook;
    private @Nullable Camera camera;
    private @Nullable LoopRule leftRule;
    private int cameraPartWidth;
    private int cameraHeight;
    private final @Nullable Viewport[] parts = new Viewport[2]; // on the left, on the right
    private boolean draggedOnTheLeft;
    private @Nullable Bodies draggedBodies;
    private @Nullable TimeScale saidScale;
    private String leftTitle = "";
    private long figuresNanos;

    ViewDrawing(SceneView scene, int draggedBodies, Supplier<Settings> settings, ViewMouse mouse) {
        this.scene = scene;
        this.settings = settings;
        this.mouse = mouse;
        drawing = new SceneDrawing(scene);
        drag = new BodyDrag(draggedBodies, scene.boxHalfExtent());
    }

    /** Main thread, before the render loop of the run starts. */
    void show(@Nullable Shown newShown, InputRing newInput) {
        shown = newShown;
        input = newInput;
    }

    @Override
    public void open() {
        drawing.open();
        overlays = List.of(new ImageOverlay(), new ImageOverlay(), new ImageOverlay());
        leftStrip = new ErrorStrip(STRIP_FRAMES);
        rightStrip = new ErrorStrip(STRIP_FRAMES);
        leftError = new AnimationError("beside");
        rightError = new AnimationError("shown");
        picture = null;
        leftRule = null;
        figuresNanos = 0;
        saidScale = null;
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        Shown now = shown;
        Settings wanted = settings.get();
        if (now == null) {
            Camera from = camera(width, width, height);
            drawing.draw(part(0, width, height), from, view.interpolator());
            dragBody(wanted, from, false, view);
            return;
        }
        Timeline timeline = view.window().timeline();
        rightStrip.add(rightError.frame(view.clock().shownSimNanos(), timeline, view.displayNanos()));
        boolean beside = advanceLeft(now, wanted, timeline, view.displayNanos());
        int partWidth = beside ? width / 2 : width;
        Camera from = camera(partWidth, width, height);
        if (beside) {
            drawLeft(now, wanted, from, partWidth, height);
        }
        drawing.draw(part(width - partWidth, partWidth, height), from, view.interpolator());
        dragBody(wanted, from, beside, view);
        drawFigures(now, wanted, view, beside, width, height);
    }

    /** Whether there is a left side. */
    private boolean advanceLeft(Shown now, Settings wanted, Timeline timeline, long displayNanos) {
        if (!wanted.beside()) {
            leftRule = null;
            return false;
        }
        if (wanted.rule() != leftRule) {
            leftRule = wanted.rule();
            leftTitle = "Game loop: " + wanted.rule().title();
            leftStrip = new ErrorStrip(STRIP_FRAMES);
            leftError = new AnimationError("beside");
        }
        long shownNanos;
        if (wanted.rule() == LoopRule.ACCUMULATOR) {
            picture = now.accumulator() == null ? null : now.accumulator().take(picture);
            if (picture == null) {
                return false; // it has just begun, or is about to
            }
            shownNanos = picture.shownSimNanos();
        } else {
            if (!now.twoLatest().advance(wanted.rule().alpha(), System.nanoTime())) {
                return false;
            }
            shownNanos = now.twoLatest().shownSimNanos();
        }
        leftStrip.add(leftError.frame(shownNanos, timeline, displayNanos));
        return true;
    }

    private void drawLeft(Shown now, Settings wanted, Camera from, int partWidth, int height) {
        Viewport left = part(0, partWidth, height);
        if (wanted.rule() == LoopRule.ACCUMULATOR && picture != null) {
            drawing.draw(left, from, picture.poses());
        } else {
            drawing.draw(left, from, now.twoLatest().moment());
        }
    }

    /** A part of the window, as high as that: the same one as long as it is of the same size. */
    private Viewport part(int x, int partWidth, int height) {
        int index = x == 0 ? 0 : 1;
        Viewport last = parts[index];
        if (last == null || last.x() != x || last.width() != partWidth || last.height() != height) {
            last = new Viewport(x, 0, partWidth, height);
            parts[index] = last;
        }
        return last;
    }

    private Camera camera(int partWidth, int width, int height) {
        Look look = mouse.look();
        if (camera == null || !look.equals(cameraLook) || partWidth != cameraPartWidth || height != cameraHeight) {
            camera = look.camera(scene, partWidth, width, height);
            cameraLook = look;
            cameraPartWidth = partWidth;
            cameraHeight = height;
        }
        return camera;
    }

    private void dragBody(Settings wanted, Camera from, boolean beside, FrameView view) {
        Pointer pointer = mouse.pointer();
        if (drag.isPressed(pointer)) {
            draggedOnTheLeft = beside && pointer.x() < 0.5;
        }
        double across = !beside ? pointer.x() : draggedOnTheLeft ? 2 * pointer.x() : 2 * pointer.x() - 1;
        PoseBlocks poses = view.poses();
        if (draggedOnTheLeft && wanted.rule() == LoopRule.ACCUMULATOR && picture != null) {
            poses = picture.poses();
        }
        draggedBodies = view.window().newest().bodies();
        drag.frame(pointer, from, (float) (2 * across - 1), (float) (1 - 2 * pointer.y()), poses, offering);
    }

    private void offer(BodyDrag.Event event) {
        Shown now = shown;
        Bodies bodies = Objects.requireNonNull(draggedBodies, "a body is dragged in a frame");
        event.offer(
                Objects.requireNonNull(input, "a viewer draws what it was told to show"),
                System.nanoTime(),
                slot -> bodies.exists(slot) ? bodies.id(slot) : slot);
        if (now != null && now.accumulator() != null) { // with its next tick
            event.offer(now.accumulator().world().input(), 0, slot -> BodyId.of(slot, FIRST_GENERATION));
        }
    }

    private void drawFigures(Shown now, Settings wanted, FrameView view, boolean beside, int width, int height) {
        ImageOverlay panel = overlays.get(0);
        ImageOverlay left = overlays.get(1);
        ImageOverlay right = overlays.get(2);
        int half = width / 2;
        if (view.displayNanos() - figuresNanos >= FIGURES_NANOS) {
            figuresNanos = view.displayNanos();
            if (wanted.figures()) {
                Hud.Figures f = figures(now, wanted, view);
                panel.image(beside ? hud.smallPanel(f) : hud.panel(f, rightStrip));
            }
            if (beside) {
                left.image(hud.bar(leftTitle, leftStrip, half));
                right.image(hud.bar("Escapement", rightStrip, half));
            }
        }
        if (beside) {
            left.draw(0, height - Hud.BAR_HEIGHT, width, height);
            right.draw(width - half, height - Hud.BAR_HEIGHT, width, height);
        }
        if (wanted.figures()) {
            panel.draw(MARGIN, MARGIN, width, height);
        }
    }

    private Hud.Figures figures(Shown now, Settings wanted, FrameView view) {
        TimeScale scale = now.time().timeScale();
        if (!scale.equals(saidScale)) {
            saidScale = scale;
            figures.speed = String.format(
                    Locale.ROOT, "%.4g Hz x %s", now.physics().rate().inHertz(), scale);
        }
        figures.tick = view.shownTick();
        figures.paused = now.time().isPaused();
        figures.slow = wanted.slow();
        figures.gauge = now.gauge();
        figures.givenUpTicks = now.physics().givenUpTicks();
        figures.lookBehindNanos = view.window().timeline().simNanosAt(view.displayNanos())
                - view.clock().shownSimNanos();
        figures.errorMillis = rightStrip.meanMillis();
        return figures;
    }

    @Override
    public void close() {
        drawing.close();
        overlays.forEach(ImageOverlay::close);
        if (shown != null) {
            shown.twoLatest().close();
        }
    }
}
