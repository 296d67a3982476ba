package dev.escapement.bench.run;

import dev.escapement.render.RenderBackend;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.InputRing;
import java.util.function.BooleanSupplier;

/** A window that somebody sits in front of. */
final class WindowStage implements Stage {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;

    private final GlfwWindow window;

    private WindowStage(GlfwWindow window) {
        this.window = window;
    }

    static WindowStage open(SceneView scene) {
        try {
            return new WindowStage(GlfwWindow.open("Escapement", WIDTH, HEIGHT, scene));
        } catch (NoDisplayException | NoOpenGlException e) {
            throw new IllegalArgumentException("--window: " + e.getMessage(), e);
        }
    }

    @Override
    public RenderBackend backend() {
        return window.backend();
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        window.waitAndDispatch(input, running);
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
