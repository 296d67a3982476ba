package dev.escapement.bench.run;

import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.view.Viewer;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.TickRate;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws a run at a fixed rate while the main thread waits. This stage needs no graphics card: each frame fills the instance buffer for
 * every body and draws nothing, because a software renderer would take most of the measured time.
 */
class Stage implements AutoCloseable {

    private static final long LOOK_NANOS = 2_000_000;

    private final TickRate fps;

    /** What OpenGL draws with; empty if nothing is drawn. */
    String renderer = "";

    Stage(TickRate fps) {
        this.fps = fps;
    }

    /**
     * What a stage needs to draw a world.
     *
     * @param physics the started service that ticks the world; null if another process ticks it
     * @param history rewinds the world; null if it cannot be rewound
     * @param counts  further counts for the page
     */
    record Drawn(
            Supplier<SnapshotReader> readers,
            @Nullable PhysicsService physics,
            @Nullable StateHistory history,
            Supplier<Map<String, Long>> counts) {

        static Drawn of(PhysicsService physics, @Nullable StateHistory history) {
            return new Drawn(physics::newReader, physics, history, physics.stats()::counts);
        }
    }

    double framesPerSecond() {
        return fps.inHertz();
    }

    /** Wraps the simulation so that a person can slow its steps with a key; returns it unchanged if the stage has no keys. */
    Simulation slowed(Simulation simulation) {
        return simulation;
    }

    RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
        InstanceBuffer instances = new InstanceBuffer();
        RenderBackend backend = frame -> instances.write(frame.interpolator(), 0, 0, 0);
        return RenderLoop.start(view, backend, fps, listener);
    }

    /** Occupies the main thread while {@code running} is true, or until somebody {@linkplain EndRequest asks for the end}. */
    void waitWhile(BooleanSupplier running, InputRing input) {
        while (running.getAsBoolean()
                && !EndRequest.isMade()
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Whether a person plays, and may change the speed of time. Such a run needs one more reader and no scripted player. */
    boolean hasPlayer() {
        return false;
    }

    boolean mayRewind() {
        return false;
    }

    @Override
    public void close() {}

    /** A stage that also serves a web page, which shows the world in a browser. */
    static final class Live extends Stage {

        private final String title;
        private final int port;
        private final Consumer<String> say;
        private @Nullable LivePage page;

        /** Prepares a page at a port, or at any free port if it is 0. {@code say} receives the page's address, alone on a line. */
        Live(String title, int port, TickRate fps, Consumer<String> say) {
            super(fps);
            this.title = title;
            this.port = port;
            this.say = say;
        }

        @Override
        RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
            LivePageBuilder settings =
                    LivePage.of(drawn.readers().get()).title(title).port(port).counts(drawn.counts());
            PhysicsService physics = drawn.physics();
            if (physics != null) {
                settings.controls(physics);
            }
            StateHistory history = drawn.history();
            if (history != null) {
                settings.rewinds(history);
            }
            LivePage started = settings.start();
            page = started;
            say.accept(started.url());
            return super.startDrawing(drawn, view, listener);
        }

        @Override
        boolean hasPlayer() {
            return true;
        }

        @Override
        boolean mayRewind() {
            return true;
        }

        @Override
        public void close() {
            LivePage open = page;
            if (open != null) {
                open.close();
            }
        }
    }

    static final class Window extends Stage {

        private static final int WIDTH = 1280;
        private static final int HEIGHT = 720;
        private static final TickRate USUAL_FPS = TickRate.hertz(60);

        private final Viewer viewer;
        private final GlfwWindow window;

        /**
         * Opens the window, which draws at the refresh rate of the display. If the display reports none, it draws at 60 Hz and a message
         * says so.
         */
        Window(SceneView scene, boolean isOwnWorld, Consumer<String> say) {
            super(USUAL_FPS);
            viewer = new Viewer(scene, isOwnWorld);
            window = GlfwWindow.open("Escapement: making the world", WIDTH, HEIGHT, viewer);
            window.listen(viewer);
            if (window.backend().displayHertz().isEmpty()) {
                say.accept("The display does not report its rate; 60 Hz assumed.");
            }
        }

        @Override
        double framesPerSecond() {
            return window.backend().displayHertz().orElse(super.framesPerSecond());
        }

        @Override
        Simulation slowed(Simulation simulation) {
            return viewer.slowed(simulation);
        }

        @Override
        RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
            PhysicsService physics = drawn.physics();
            if (physics != null) {
                viewer.begin(physics);
            }
            return RenderLoop.start(view, window.backend(), listener);
        }

        @Override
        void waitWhile(BooleanSupplier running, InputRing input) {
            window.waitAndDispatch(input, () -> {
                window.title(viewer.title());
                renderer = viewer.renderer();
                return running.getAsBoolean() && !EndRequest.isMade();
            });
        }

        @Override
        boolean hasPlayer() {
            return true;
        }

        @Override
        public void close() {
            window.close();
        }
    }
}
