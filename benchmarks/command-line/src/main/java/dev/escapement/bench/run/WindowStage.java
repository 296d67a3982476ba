package dev.escapement.bench.run;

import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.view.Viewer;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A window for a person, drawn at the display's rate or at a given one. */
final class WindowStage extends Viewer implements Stage {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;
    private static final double USUAL_HERTZ = 60;

    private final GlfwWindow window;
    private final @Nullable TickRate fps;
    private final double displayHertz;

    /** Opens the window; without frames per second it follows the display, at 60 Hz with a message if that reports no rate. */
    WindowStage(SceneView scene, Abilities abilities, @Nullable TickRate fps, Consumer<String> say) {
        super(scene, abilities);
        this.fps = fps;
        window = GlfwWindow.open(title(), WIDTH, HEIGHT, drawing());
        window.listen(this);
        OptionalDouble hertz = window.backend().displayHertz();
        if (fps == null && hertz.isEmpty()) {
            say.accept("The display does not report its rate; 60 Hz assumed ('run' takes --fps).");
        }
        displayHertz = hertz.orElse(USUAL_HERTZ);
    }

    @Override
    public double framesPerSecond() {
        return fps == null ? displayHertz : fps.inHertz();
    }

    @Override
    public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
        PhysicsService physics = drawn.physics();
        if (physics == null) {
            begin(drawn.input());
        } else {
            begin(physics);
        }
        return fps == null
                ? RenderLoop.start(view, window.backend(), listener)
                : RenderLoop.start(view, window.backend(), fps, listener);
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        window.waitAndDispatch(input, () -> {
            window.title(title());
            return running.getAsBoolean() && !wantsRestart() && !EndRequest.isMade();
        });
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
