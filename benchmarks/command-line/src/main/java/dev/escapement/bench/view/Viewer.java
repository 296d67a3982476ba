package dev.escapement.bench.view;

import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_EQUAL;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_KP_ADD;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_KP_SUBTRACT;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_MINUS;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_N;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_P;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_R;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_RIGHT_BRACKET;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_SLASH;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_LEFT;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_MIDDLE;
import static org.lwjgl.glfw.GLFW.GLFW_MOUSE_BUTTON_RIGHT;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.GLFW_REPEAT;

import dev.escapement.bench.view.BodyDrag.Pointer;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.render.lwjgl.WindowListener;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TimeScale;
import org.jspecify.annotations.Nullable;

/**
 * The window of a run: keys for time and for the second picture, a camera that follows the mouse, and bodies that can be dragged.
 *
 * <p>Main thread, except {@link #drawing()}.
 */
public class Viewer implements WindowListener {

    /** What the keys do. */
    static final String KEYS = "P pause   N one tick   + - speed   R start over   Esc end";

    /** What the other keys do, which show how a picture can move. */
    static final String MORE_KEYS = "B beside a game loop   L slow steps";

    private static final int NO_BUTTON = -1;
    private static final long MAX_TIMES_FASTER = 4;
    private static final long MAX_TIMES_SLOWER = 16;

    private final Abilities abilities;
    private final ViewDrawing drawing;
    private int heldButton = NO_BUTTON;

    // Volatile: written by the main thread, read by the others; nothing else is ordered by them.
    private volatile Look look = Look.AT_FIRST;
    private volatile Pointer pointer = Pointer.UNTOUCHED;
    private volatile boolean isSplit;
    private volatile boolean wantsRestart;
    private volatile boolean paused;
    private volatile boolean canSlow;
    private volatile StepLoad load = StepLoad.NONE;
    private volatile @Nullable TickingWorld world;

    /**
     * What the viewer can do with the world.
     *
     * @param bodies     how many of its bodies can be dragged, 0 if its controls are not known
     * @param canRestart whether the run can be started over
     */
    public record Abilities(int bodies, boolean canRestart) {}

    /** A viewer of worlds that look alike. */
    public Viewer(SceneView scene, Abilities abilities) {
        this.abilities = abilities;
        drawing = new ViewDrawing(scene, abilities.bodies(), () -> look, () -> pointer, () -> isSplit, this::asked);
    }

    /** A simulation to show instead, whose steps a key makes slower. Before {@link #begin(TickingWorld)}. */
    public final Simulation slowed(Simulation simulation) {
        canSlow = true;
        return StepLoad.slowing(simulation, () -> load);
    }

    /** What draws the window, for its render thread. */
    public final WindowDrawing drawing() {
        return drawing;
    }

    /** Shows a world that has just started, before its render loop starts; takes a reader of it. */
    public final void begin(TickingWorld physics) {
        wantsRestart = false;
        paused = false;
        world = physics;
        drawing.show(new TwoLatestView(physics.newReader()), physics.input(), physics);
    }

    /**
     * Shows a world of another process, before its render loop starts: its bodies, without keys for time and without the second picture.
     *
     * @param input takes the input of dragged bodies
     */
    public final void begin(InputRing input) {
        drawing.show(null, input, null);
    }

    /** Whether the run is to be started over. */
    public final boolean wantsRestart() {
        return wantsRestart;
    }

    /** The text of the title bar: the keys, or the name and the mean animation error of each side. */
    public final String title() {
        TickingWorld shown = world;
        if (shown == null) {
            return "Escapement";
        }
        String what = isSplit ? drawing.sides() : "Escapement   " + KEYS + "   " + MORE_KEYS;
        return what + "   " + state(shown);
    }

    /** What a person has made of time and of steps, for the picture; empty if nothing. Any thread. */
    private ShownSpeed.Asked asked() {
        TickingWorld shown = world;
        if (shown == null) {
            return new ShownSpeed.Asked("", 1);
        }
        boolean isUsual = !paused && shown.timeScale().equals(TimeScale.ONE);
        boolean tellsLoad = canSlow && (isSplit || load != StepLoad.NONE);
        String text =
                (isUsual ? "" : state(shown)) + (isUsual || !tellsLoad ? "" : "   ") + (tellsLoad ? load.text : "");
        TimeScale scale = shown.timeScale();
        return new ShownSpeed.Asked(text, paused ? 0 : (double) scale.numerator() / scale.denominator());
    }

    private String state(TickingWorld shown) {
        return "time x " + shown.timeScale() + (paused ? ", paused" : "");
    }

    @Override
    public final boolean key(long nanos, int key, int action) {
        TickingWorld shown = world;
        Runnable does = shown == null ? null : what(key, shown);
        boolean isHeld = action == GLFW_REPEAT && key == GLFW_KEY_N; // held down: tick after tick
        if (does != null && (action == GLFW_PRESS || isHeld)) {
            does.run();
        }
        return does != null;
    }

    /** What a key does, null if it is the simulation's. */
    private @Nullable Runnable what(int key, TickingWorld shown) {
        return switch (key) {
            case GLFW_KEY_P -> paused ? () -> stand(false, shown::resume) : () -> stand(true, shown::pause);
            case GLFW_KEY_N -> () -> stand(true, shown::step);
            case GLFW_KEY_R -> () -> wantsRestart = abilities.canRestart();
            case GLFW_KEY_B -> () -> isSplit = !isSplit;
            case GLFW_KEY_L -> canSlow ? () -> load = load.next() : null;
            // Plus and minus, on a US keyboard, on a German one, and on the number pad.
            case GLFW_KEY_EQUAL, GLFW_KEY_RIGHT_BRACKET, GLFW_KEY_KP_ADD -> () -> scaleBy(shown, 2, 1);
            case GLFW_KEY_MINUS, GLFW_KEY_SLASH, GLFW_KEY_KP_SUBTRACT -> () -> scaleBy(shown, 1, 2);
            default -> null;
        };
    }

    private void stand(boolean still, Runnable change) {
        paused = still;
        change.run();
    }

    /** Lets time run faster or slower than now, within bounds. */
    private static void scaleBy(TickingWorld shown, long times, long dividedBy) {
        long numerator = shown.timeScale().numerator() * times;
        long denominator = shown.timeScale().denominator() * dividedBy;
        if (numerator > MAX_TIMES_FASTER * denominator || denominator > MAX_TIMES_SLOWER * numerator) {
            return;
        }
        try {
            shown.timeScale(new TimeScale(numerator, denominator));
        } catch (IllegalArgumentException beyond) {
            // More or fewer ticks a second than a world can run: the speed stays.
        }
    }

    @Override
    public final boolean button(long nanos, int button, int action, double x, double y) {
        boolean isLeft = button == GLFW_MOUSE_BUTTON_LEFT;
        if (button > GLFW_MOUSE_BUTTON_MIDDLE || (isLeft && abilities.bodies() == 0)) {
            return false;
        }
        boolean down = action == GLFW_PRESS;
        if (down || heldButton == button) {
            heldButton = down ? button : NO_BUTTON;
        }
        long presses = pointer.presses() + (down && isLeft ? 1 : 0);
        pointer = new Pointer(x, y, heldButton == GLFW_MOUSE_BUTTON_LEFT, presses);
        return true;
    }

    @Override
    public final boolean pointer(long nanos, double x, double y) {
        Pointer from = pointer;
        pointer = new Pointer(x, y, from.held(), from.presses());
        if (heldButton == GLFW_MOUSE_BUTTON_RIGHT) {
            look = look.turned(x - from.x(), y - from.y());
        } else if (heldButton == GLFW_MOUSE_BUTTON_MIDDLE) {
            look = look.moved(x - from.x(), y - from.y());
        }
        return heldButton != NO_BUTTON;
    }

    @Override
    public final boolean wheel(long nanos, double x, double y) {
        look = look.nearer(y);
        return true;
    }
}
