package dev.escapement.bench.view;

import static org.lwjgl.glfw.GLFW.GLFW_KEY_1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_2;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_3;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_EQUAL;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_F1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_KP_ADD;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_KP_SUBTRACT;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_MINUS;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_N;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_P;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_R;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_RIGHT_BRACKET;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_SLASH;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.GLFW_RELEASE;
import static org.lwjgl.glfw.GLFW.GLFW_REPEAT;

import dev.escapement.bench.compare.WorkClock;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickingWorld;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.render.lwjgl.WindowListener;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A window to look at a run with: keys for time, for the figures and for the same world beside itself as game loops show it; a camera that
 * follows the mouse, and bodies that can be dragged.
 *
 * <pre>{@code
 * Viewer viewer = new Viewer(scene, abilities);
 * GlfwWindow window = GlfwWindow.open("Escapement", 1280, 720, viewer.drawing());
 * window.listen(viewer);
 * viewer.begin(physics, TickRate.hertz(60));
 * }</pre>
 *
 * <p>Main thread, but for {@link #drawing()}.
 */
public class Viewer implements WindowListener {

    /** The keys, and what they do. */
    static final List<String> KEYS = List.of(
            "F1  show or hide this       P  pause       N  one tick",
            "+ -  faster, slower         R  start over  Esc  end",
            "B  the same world beside itself, left as game loops do it:",
            "1 newest snapshot   2 two latest by arrival   3 accumulator",
            "L  slow physics, steps of 1 to 8 ms",
            "mouse: left drags a body, right turns, middle moves, wheel zooms",
            "arrows, W A S D push, space tosses, a click on the floor blasts");

    /** Those that matter beside itself. */
    static final List<String> KEYS_BESIDE = List.of(
            "B  one world   L  slow physics   F1  hide this", "left: 1 newest snapshot  2 by arrival  3 accumulator");

    private final Abilities abilities;
    private final ViewDrawing drawing;
    private final ViewMouse mouse;

    // Volatile: written by the main thread, read by the others; nothing else is ordered by them.
    private volatile Settings settings = new Settings(true, false, LoopRule.NEWEST, false);
    private volatile boolean wantsRestart;
    private volatile @Nullable Shown shown;

    /**
     * What can be done with the world that is shown.
     *
     * @param bodies     how many of its bodies can be dragged, 0 if its controls are not known
     * @param canRestart whether the run can be started over
     * @param another    makes the same world once more, as it was at first; null if that cannot be
     */
    public record Abilities(
            int bodies, boolean canRestart, @Nullable Supplier<Simulation> another) {}

    /** What is to be seen. */
    record Settings(boolean figures, boolean beside, LoopRule rule, boolean slow) {

        boolean showsAccumulator() {
            return beside && rule == LoopRule.ACCUMULATOR;
        }
    }

    /** A viewer of worlds that look alike. */
    public Viewer(SceneView scene, Abilities abilities) {
        this.abilities = abilities;
        mouse = new ViewMouse(abilities.bodies() > 0);
        drawing = new ViewDrawing(scene, abilities.bodies(), this::settings, mouse);
    }

    /** What draws the window, for its render thread. */
    public final WindowDrawing drawing() {
        return drawing;
    }

    /** How many readers {@link #begin} takes. */
    public final int readers() {
        return 1;
    }

    /** A simulation as it has to run to be seen here: its steps may be made slow. */
    public final Simulation around(Simulation simulation) {
        return new SlowSteps(simulation, WorkClock.busy(), () -> settings.slow());
    }

    /**
     * Shows a world from now on, before its render loop starts.
     *
     * @param physics the world, which has just started
     * @param display how often the window is drawn
     * @param startedNanos when simulated time started, an instant of the JVM's clock
     */
    public final void begin(TickingWorld physics, TickRate display, long startedNanos) {
        wantsRestart = false;
        WorldTime time = new WorldTime(physics, NanoClock.system(), startedNanos);
        TickGauge gauge = new TickGauge(Math.round(physics.rate().inHertz() / 2));
        AccumulatorLoop accumulator = null;
        if (settings.showsAccumulator() && abilities.another() != null) {
            Simulation second = around(abilities.another().get());
            accumulator = new AccumulatorLoop(second, physics.rate(), display, NanoClock.system()).start();
            time.also(accumulator.world());
        }
        Shown next = new Shown(physics, time, gauge, new TwoLatestView(physics.newReader()), accumulator);
        shown = next;
        drawing.show(next, physics.input());
    }

    /**
     * Shows a world of another process from now on, before its render loop starts: its bodies, without figures and another world beside it.
     *
     * @param input where a dragged body is told
     */
    public final void begin(InputRing input) {
        drawing.show(null, input);
    }

    /** Is told of every tick of the world that is shown. Physics thread. */
    public final void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        Shown now = shown;
        if (now != null) {
            now.gauge().ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
        }
    }

    /** Whether the run is to be started over. */
    public final boolean wantsRestart() {
        return wantsRestart;
    }

    /** How time passes in the world that is shown; null before there was one. Any thread. */
    public final @Nullable WorldTime time() {
        Shown now = shown;
        return now == null ? null : now.time();
    }

    /** Ends what {@link #begin} has begun beside the world; when its render loop has ended. */
    public final void end() {
        Shown ended = shown;
        if (ended != null && ended.accumulator() != null) {
            ended.accumulator().close();
        }
    }

    final Settings settings() {
        return settings;
    }

    @Override
    public final boolean key(long nanos, int key, int action) {
        Shown now = shown;
        if (now == null) {
            return false;
        }
        Runnable does = what(key, now.time());
        if (does == null) {
            mirror(now, key, action);
            return false;
        }
        if (action == GLFW_PRESS || (action == GLFW_REPEAT && key == GLFW_KEY_N)) { // held down: tick after tick
            does.run();
        }
        return true;
    }

    /** What a key does, null if it is the simulation's. */
    private @Nullable Runnable what(int key, WorldTime time) {
        Settings s = settings;
        return switch (key) {
            case GLFW_KEY_F1 -> () -> change(new Settings(!s.figures(), s.beside(), s.rule(), s.slow()));
            case GLFW_KEY_P -> time::togglePause;
            case GLFW_KEY_N -> time::step;
            case GLFW_KEY_R -> () -> wantsRestart = abilities.canRestart();
            case GLFW_KEY_B -> () -> change(new Settings(s.figures(), !s.beside(), s.rule(), s.slow()));
            case GLFW_KEY_L -> () -> change(new Settings(s.figures(), s.beside(), s.rule(), !s.slow()));
            case GLFW_KEY_1 -> () -> change(new Settings(s.figures(), true, LoopRule.NEWEST, s.slow()));
            case GLFW_KEY_2 -> () -> change(new Settings(s.figures(), true, LoopRule.BY_ARRIVAL, s.slow()));
            case GLFW_KEY_3 -> () -> change(new Settings(s.figures(), true, LoopRule.ACCUMULATOR, s.slow()));
            // Plus and minus, on a US keyboard, on a German one, and on the number pad.
            case GLFW_KEY_EQUAL, GLFW_KEY_RIGHT_BRACKET, GLFW_KEY_KP_ADD -> time::faster;
            case GLFW_KEY_MINUS, GLFW_KEY_SLASH, GLFW_KEY_KP_SUBTRACT -> time::slower;
            default -> null;
        };
    }

    /** A loop with a world of its own begins with it: both worlds start over. */
    private void change(Settings next) {
        if (next.showsAccumulator() && (!abilities.canRestart() || abilities.another() == null)) {
            return;
        }
        if (next.showsAccumulator() != settings.showsAccumulator()) {
            wantsRestart = true;
        }
        settings = next;
    }

    /** What the simulation is told, the world beside it is told too; its clock is another one, so it comes with its next tick. */
    private static void mirror(Shown now, int key, int action) {
        if (now.accumulator() != null && key >= 0 && (action == GLFW_PRESS || action == GLFW_RELEASE)) {
            InputKind kind = action == GLFW_PRESS ? InputKind.KEY_DOWN : InputKind.KEY_UP;
            now.accumulator().world().input().offer(0, kind, key, 0, 0);
        }
    }

    @Override
    public final boolean button(long nanos, int button, int action, double x, double y) {
        return mouse.button(button, action == GLFW_PRESS, x, y);
    }

    @Override
    public final boolean pointer(long nanos, double x, double y) {
        return mouse.moved(x, y);
    }

    @Override
    public final void scrolled(double notches) {
        mouse.scrolled(notches);
    }

    /** A run that is shown; the left side of its window has a world of its own, or the snapshots of the run's. */
    record Shown(
            TickingWorld physics,
            WorldTime time,
            TickGauge gauge,
            TwoLatestView twoLatest,
            @Nullable AccumulatorLoop accumulator) {}
}
