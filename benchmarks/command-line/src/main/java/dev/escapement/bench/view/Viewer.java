package dev.escapement.bench.view;

import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_LEFT;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_MIDDLE;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_RIGHT;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.BodyShapes;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.ImageOverlay;
import dev.escapement.render.lwjgl.SceneDrawing;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.render.lwjgl.WindowListener;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.WorldControl;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL11;

/**
 * The window of a run, with a strip chart of animation errors below each picture. It shows one picture of the world, or two. The left one
 * of two is blended as a common game loop does it, see {@link TwoLatestView}. Keys show the second picture and slow the steps; the mouse
 * moves the camera.
 *
 * <p>Main thread for input; render thread for {@link #open}, {@link #draw} and {@link #close}. Allocates only when the layout changes.
 */
public final class Viewer implements WindowListener, WindowDrawing {

    static final String KEYS = "B beside a game loop   L slow steps   right button turns, wheel zooms   Esc ends";

    private static final String GAME_LOOP = "Usual game loop";
    private static final int NO_BUTTON = -1;
    private static final long STRIP_NANOS = 66_000_000;
    private static final int MARGIN = 12;
    private static final int METRONOME_COLOUR = 0xFF2B80;
    private static final float METRONOME_SCALE = 0.6f;
    private static final int NO_SLOT = -1;

    private final SceneView scene;
    private final boolean isOwnWorld;
    private int heldButton = NO_BUTTON;
    private double pointerX;
    private double pointerY;

    // Volatile: written by the main thread, read by the other threads. No other data depends on these writes.
    private volatile Look look = Look.AT_FIRST;
    private volatile boolean isSplit;
    private volatile boolean canSlow;
    private volatile StepLoad load = StepLoad.NONE;
    private volatile @Nullable TickingWorld world;
    private volatile @Nullable TwoLatestView twoLatest;
    private volatile @Nullable KnownShapes shapes;

    // Volatile: written by the render thread, read by the main thread for the title.
    private volatile ErrorStrip leftStrip;
    private volatile ErrorStrip rightStrip;

    private volatile String renderer = "";

    // Only the render thread uses the fields below.
    private final SceneDrawing drawing;
    private @Nullable BufferedImage leftImage;
    private @Nullable BufferedImage rightImage;

    private @Nullable ImageOverlay overlay;

    private final List<@Nullable BodyShape> learned = new ArrayList<>();

    private @Nullable Layout layout;
    private long stripNanos;

    /** The slot of the metronome, which is the last body; NO_SLOT without a metronome, in a simulation of --simulation. */
    private int metronomeSlot = NO_SLOT;

    /**
     * How the window is divided. If {@code split}, it has a left and a right part, else only a right part. Each is {@code part} pixels
     * wide, and the right one begins at {@code right()}. A new layout replaces this one when a component changes.
     */
    private record Layout(boolean split, int width, int height, Look look, int part, Camera camera) {

        int right() {
            return width - part;
        }
    }

    /**
     * Creates a viewer. In a user's own world, the left mouse button goes to the world. In any other world the left button does nothing,
     * and the last body is a metronome.
     */
    public Viewer(SceneView scene, boolean isOwnWorld) {
        this.scene = scene;
        this.isOwnWorld = isOwnWorld;
        leftStrip = newStrip(GAME_LOOP);
        rightStrip = newStrip("Escapement");
        drawing = new SceneDrawing(scene, this::describe);
    }

    private ErrorStrip newStrip(String name) {
        String cube = isOwnWorld ? "" : "The pink cube's speed is constant. ";
        return new ErrorStrip(name, KEYS, cube + "Green errors are invisible, red ones visible.");
    }

    /** Wraps the simulation that will be shown, so that a key slows its steps. Call it before {@link #begin(TickingWorld)}. */
    public Simulation slowed(Simulation simulation) {
        canSlow = true;
        return StepLoad.slowing(simulation, () -> load);
    }

    /**
     * Shows a world that has just started, and takes one of its readers. Call it before the render loop starts. Without this call, the
     * viewer shows the world of another process: all bodies as cubes, no keys, no second picture.
     */
    public void begin(TickingWorld physics) {
        world = physics;
        twoLatest = new TwoLatestView(physics.newReader());
        show(physics);
    }

    /** Asks a world for the shapes of its bodies. Without this call all bodies are drawn as cubes. */
    void show(WorldControl control) {
        shapes = new KnownShapes(control, System.nanoTime(), this::learn);
    }

    private void learn(BodyShape shape, int slot) {
        while (learned.size() <= slot) {
            learned.add(null);
        }
        learned.set(slot, shape);
    }

    private void describe(int slot, long userData, BodyShapes.Shape shape) {
        KnownShapes known = shapes;
        BodyShape like = known != null && known.isKnown(slot) ? learned.get(slot) : null;
        if (like != null) {
            shape.like(like);
        } else if (known != null && !known.isAnswered(slot)) {
            shape.hide();
        }
        if (slot == metronomeSlot) {
            float half = METRONOME_SCALE * scene.boxHalfExtent();
            shape.box(half, half, half);
            shape.colour(METRONOME_COLOUR);
        }
    }

    /** What OpenGL calls the drawing part of the system; empty before the first picture. */
    public String renderer() {
        return renderer;
    }

    /** The text of the title bar: the keys; or each picture's name with its mean animation error, and what slows steps or time. */
    public String title() {
        TickingWorld shown = world;
        if (shown == null) {
            return "Escapement";
        }
        String what = isSplit ? leftStrip.heading() + "   " + rightStrip.heading() : "Escapement   " + KEYS;
        String slow = load == StepLoad.NONE ? "" : "   " + load.text;
        return (what + slow + "   " + shown.stats().slowMotion()).strip();
    }

    @Override
    public boolean key(long nanos, int key, int action) {
        boolean isOurs = world != null && (key == GLFW_KEY_B || (key == GLFW_KEY_L && canSlow));
        if (isOurs && action == GLFW_PRESS && key == GLFW_KEY_B) {
            isSplit = !isSplit;
        } else if (isOurs && action == GLFW_PRESS) {
            load = load.next();
        }
        return isOurs;
    }

    @Override
    public boolean button(long nanos, int button, int action, double x, double y) {
        if (button > GLFW_MOUSE_BUTTON_MIDDLE || (isOwnWorld && button == GLFW_MOUSE_BUTTON_LEFT)) {
            return false;
        }
        boolean down = action == GLFW_PRESS;
        if (down || heldButton == button) {
            heldButton = down ? button : NO_BUTTON;
        }
        return true;
    }

    @Override
    public boolean pointer(long nanos, double x, double y) {
        if (heldButton == GLFW_MOUSE_BUTTON_RIGHT) {
            look = look.turned(x - pointerX, y - pointerY);
        } else if (heldButton == GLFW_MOUSE_BUTTON_MIDDLE) {
            look = look.moved(x - pointerX, y - pointerY);
        }
        pointerX = x;
        pointerY = y;
        return heldButton != NO_BUTTON;
    }

    @Override
    public boolean wheel(long nanos, double x, double y) {
        look = look.nearer(y);
        return true;
    }

    @Override
    public void open() {
        drawing.open();
        renderer = String.valueOf(GL11.glGetString(GL11.GL_RENDERER));
        rightStrip = newStrip("Escapement");
        ImageOverlay over = new ImageOverlay();
        overlay = over;
        // The window shows this until the first frame, which may take seconds on busy cores.
        over.draw(rightStrip.image(), MARGIN, 0, ErrorStrip.HEIGHT + MARGIN);
        layout = null;
        stripNanos = 0;
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        KnownShapes known = shapes;
        if (known != null) {
            known.update(view.shown(), System.nanoTime());
        }
        metronomeSlot = isOwnWorld ? NO_SLOT : view.shown().poses().slotCount() - 1;
        TwoLatestView left = twoLatest;
        boolean split = isSplit && left != null && left.advance(System.nanoTime());
        Layout now = layout(split, width, height);
        if (left != null && split) {
            drawing.draw(0, now.part(), height, now.camera(), left.moment());
        }
        drawing.draw(now.right(), now.part(), height, now.camera(), view.interpolator());
        if (left != null) {
            Timeline timeline = view.window().timeline();
            rightStrip.frame(
                    view.clock().shownSimNanos(), timeline, view.clock().displayNanos());
            if (split) {
                leftStrip.frame(left.shownSimNanos(), timeline, view.clock().displayNanos());
            }
            drawStrips(now, view);
        }
    }

    private Layout layout(boolean split, int width, int height) {
        Look looked = look;
        Layout last = layout;
        if (last != null
                && last.split == split
                && last.width == width
                && last.height == height
                && last.look.equals(looked)) {
            return last;
        }
        if (split && (last == null || !last.split())) {
            leftStrip = newStrip(GAME_LOOP);
        }
        int part = split ? Math.max(1, width / 2) : width;
        layout = new Layout(split, width, height, looked, part, looked.camera(scene, part, width, height));
        return layout;
    }

    private void drawStrips(Layout now, FrameView view) {
        long displayNanos = view.clock().displayNanos();
        ImageOverlay over = Objects.requireNonNull(overlay, "a viewer draws after open");
        if (displayNanos - stripNanos >= STRIP_NANOS) {
            stripNanos = displayNanos;
            leftImage = leftStrip.image();
            rightImage = rightStrip.image();
        }
        int top = now.height() - ErrorStrip.HEIGHT - MARGIN;
        if (now.split() && leftImage != null) {
            over.draw(leftImage, MARGIN, top, now.height());
        }
        if (rightImage != null) {
            over.draw(rightImage, now.right() + MARGIN, top, now.height());
        }
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
