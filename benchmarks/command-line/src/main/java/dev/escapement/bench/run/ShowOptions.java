package dev.escapement.bench.run;

import dev.escapement.bench.report.LiveOption;
import dev.escapement.bench.view.Viewer.Abilities;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.TickRate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** In a window, in a browser, or without a display: what {@code run}, {@code watch} and {@code replay} share. Main thread. */
@SuppressWarnings("NullAway.Init") // picocli sets the options
final class ShowOptions {

    private static final TickRate HEADLESS_FPS = TickRate.hertz(144);
    private static final int USUAL_SECONDS = 10;

    @Option(
            names = "--window",
            description = {
                "Draw in a window, with the animation error of each frame. Of a world in this process P pauses, N runs one tick,"
                        + " + and - change the speed, and R starts over; B shows it beside itself as a common game loop shows it."
                        + " Arrow keys and space push the bodies of a world that runs, the mouse drags them. The mouse moves the camera, Esc ends."
            })
    private boolean window;

    @Mixin
    private LiveOption live;

    /**
     * Looks at what was given.
     *
     * @throws IllegalArgumentException if it cannot be
     */
    void check() {
        live.check(window);
    }

    /** Whether somebody looks on. */
    boolean isSeen() {
        return window || live.isGiven();
    }

    /** How long, if nothing is said. */
    int usualSeconds() {
        return isSeen() ? LiveOption.MOST_SECONDS : USUAL_SECONDS;
    }

    /** Where it is shown. */
    Stage stage(String title, SceneView scene, Abilities abilities, @Nullable TickRate fps, Consumer<String> say) {
        if (window) {
            return new WindowStage(scene, abilities, fps, say);
        }
        TickRate made = fps == null ? HEADLESS_FPS : fps;
        return live.isGiven() ? new LiveStage(title, live.port(), made, say) : new Stage.Headless(made);
    }
}
