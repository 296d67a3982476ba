package dev.escapement.bench.machine;

import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.sdl.SdlGamepads;
import dev.escapement.physics.sdl.SdlUnavailableException;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.NanoClock;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.lwjgl.opengl.GL11;

/** What works here: a window, a picture, physics engines, gamepads. Main thread. */
final class Devices {

    private static final SceneView SCENE = new SceneView(1, 0.5f, 1, 0);
    private static final int PIXELS = 64;
    private static final Pattern SOFTWARE = Pattern.compile("(?i)llvmpipe|softpipe|swiftshader|software");

    private Devices() {}

    static List<Finding> look() {
        return List.of(
                display(),
                openGl(),
                jolt(),
                bullet(),
                Finding.good("ode4j", Ode4jWorldSimulation.version(), "runs everywhere: --engine ode4j"),
                Finding.good(
                        "dyn4j", Dyn4jWorldSimulation.version(), "two dimensions, runs everywhere: --engine dyn4j"),
                Finding.good("springs", "built in", "no collisions, the least work per tick: --engine spring"),
                gamepads());
    }

    private static Finding display() {
        try (GlfwWindow window = GlfwWindow.open("Escapement", PIXELS, PIXELS, SCENE)) {
            OptionalDouble hertz = window.refreshHertz();
            String seen = hertz.isPresent()
                    ? String.format(Locale.ROOT, "%.0f Hz", hertz.getAsDouble())
                    : "of an unknown rate";
            return Finding.good("display", seen, "'run --window' shows the scene at that rate");
        } catch (NoDisplayException | NoOpenGlException e) {
            return Finding.info(
                    "display",
                    "none",
                    String.valueOf(e.getMessage()) + "; everything but 'run --window' works without");
        }
    }

    private static Finding openGl() {
        OffscreenPicture picture;
        try {
            picture = OffscreenPicture.open(PIXELS, PIXELS, SCENE);
        } catch (NoOpenGlException e) {
            return Finding.fair("OpenGL", "none", e.getMessage() + "; everything works but pictures and windows");
        }
        try (picture) {
            String name = GL11.glGetString(GL11.GL_RENDERER); // of the picture's context, current on this thread
            return drawnBy(name == null ? "unnamed" : name);
        }
    }

    static Finding drawnBy(String renderer) {
        return SOFTWARE.matcher(renderer).find()
                ? Finding.fair(
                        "OpenGL",
                        renderer,
                        "the processor draws, and takes the time from physics; a driver for a graphics card helps")
                : Finding.good("OpenGL", renderer, "a graphics card draws, physics keeps the processor");
    }

    private static Finding jolt() {
        try {
            JoltNatives.load();
            return Finding.good(
                    "Jolt", JoltWorldSimulation.version(), "the fastest here, and the default: --engine jolt");
        } catch (UnsupportedPlatformException e) {
            return Finding.fair("Jolt", "not found", e.getMessage() + "; ode4j takes its place");
        }
    }

    private static Finding bullet() {
        try {
            BulletNatives.load();
            return Finding.good("Bullet", BulletWorldSimulation.version(), "jMonkeyEngine's: --engine bullet");
        } catch (UnsupportedPlatformException e) {
            return Finding.info("Bullet", "not found", String.valueOf(e.getMessage()));
        }
    }

    private static Finding gamepads() {
        try {
            SdlGamepads.open(NanoClock.system()).close();
            return Finding.good("SDL gamepads", "found", "sampled on the physics thread: SdlGamepads");
        } catch (SdlUnavailableException e) {
            return Finding.info("SDL gamepads", "not found", String.valueOf(e.getMessage()));
        }
    }
}
