package dev.escapement.bench.machine;

import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.lwjgl.opengl.GL11;

/** Whether a window can be opened, and what draws. Main thread. */
final class Displays {

    private static final SceneView SCENE = new SceneView(1, 0.5f, 1, 0);
    private static final int PIXELS = 64;
    private static final Pattern SOFTWARE = Pattern.compile("(?i)llvmpipe|softpipe|swiftshader|software");

    private Displays() {}

    static List<Finding> look() {
        return List.of(display(), openGl());
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
}
