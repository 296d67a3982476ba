package dev.escapement.bench.run;

import dev.escapement.bench.view.Viewer;
import dev.escapement.bench.view.Viewer.Abilities;
import dev.escapement.bench.view.WorldTime;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A window that somebody sits in front of, drawn as often as its display shows it, or at a rate that was asked for. */
final class WindowStage implements Stage {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;
    private static final double USUAL_HERTZ = 60;

    private final GlfwWindow window;
    private final Viewer viewer;
    private final @Nullable TickRate fps;
    private final double displayHertz;

    private WindowStage(GlfwWindow window, Viewer viewer, @Nullable TickRate fps, double displayHertz) {
        this.window = window;
        this.viewer = viewer;
        this.fps = fps;
        this.displayHertz = displayHertz;
    }

    /** Opens the window; without frames per second it follows the display, and says so if that does not tell its rate. */
    static WindowStage open(SceneView scene, Abilities abilities, @Nullable TickRate fps, Consumer<String> say) {
        Viewer viewer = new Viewer(scene, abilities);
        try {
            GlfwWindow window = GlfwWindow.open("Escapement", WIDTH, HEIGHT, viewer.drawing());
            window.listen(viewer);
            OptionalDouble hertz = window.refreshHertz();
            if (fps == null && hertz.isEmpty()) {
                say.accept("The display does not tell its rate; 60 Hz assumed ('run' takes --fps).");
            }
            return new WindowStage(window, viewer, fps, hertz.orElse(USUAL_HERTZ));
        } catch (NoDisplayException | NoOpenGlException e) {
            throw new IllegalArgumentException("--window: " + e.getMessage(), e);
        }
    }

    @Override
    public double framesPerSecond() {
        return fps == null ? displayHertz : fps.inHertz();
    }

    @Override
    public Simulation around(Simulation simulation) {
        return viewer.around(simulation);
    }

    @Override
    public int readers() {
        return Viewer.READERS;
    }

    @Override
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        viewer.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
    }

    @Override
    public @Nullable WorldTime time() {
        return viewer.time();
    }

    @Override
    public boolean wantsRestart() {
        return viewer.wantsRestart();
    }

    @Override
    public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
        TickRate rate = fps == null ? TickRate.parse(Double.toString(displayHertz)) : fps;
        PhysicsService physics = drawn.physics();
        if (physics == null) {
            viewer.begin(drawn.input());
        } else {
            viewer.begin(physics, rate, physics.startedAtNanos());
        }
        return fps == null
                ? RenderLoop.start(view, window.backend(), new RefreshRhythm(displayHertz), listener)
                : RenderLoop.start(view, window.backend(), fps, listener);
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        window.waitAndDispatch(input, () -> running.getAsBoolean() && !viewer.wantsRestart());
        viewer.end();
    }

    @Override
    public boolean hasPlayer() {
        return true;
    }

    @Override
    public void close() {
        window.close();
    }
}
