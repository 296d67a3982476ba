package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.HiddenWindow;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.lwjgl.WindowDrawing;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.WorldControl;
import java.awt.image.BufferedImage;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The texts of a film or a screenshot of the window. */
class ViewPictureTest {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 400;
    private static final SceneView SCENE = new SceneView(10, 0.5f, 5);

    /** The rows of the names of both sides, and those of the state of time. */
    private static final int NAMES = 12;

    private static final int STATE = 54;

    private final ManualClock clock = new ManualClock(0);
    private final Viewer viewer = new Viewer(SCENE, true);
    private final InlineDriver world = PhysicsService.builder(viewer.slowed(new SpringSimulation(30)))
            .maxReaders(3)
            .inline(clock);
    private final FrameView view = FrameView.inline(world.newReader());

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void shouldSayWhatIsOnEachSideAndWhatShowsTheDifference() throws Exception {
        Assumptions.assumeTrue(Caption.image("fonts") != null);
        viewer.begin(world);
        try (HiddenWindow window = HiddenWindow.open(WIDTH, HEIGHT, viewer)) {
            frames(20, viewer);
            assertThat(written(window.picture(), NAMES, 0, WIDTH)).isZero();
            assertThat(written(window.picture(), STATE, 0, WIDTH)).isZero();
            press(GLFW_KEY_B);
            frames(20, viewer);
            BufferedImage split = window.picture();
            assertThat(has(split, "A game loop: the two latest snapshots, blended by arrival", 0, NAMES))
                    .isTrue();
            assertThat(has(split, "Escapement: by the times at which ticks were due", WIDTH / 2, NAMES))
                    .isTrue();
            assertThat(has(split, "L makes steps slow", WIDTH / 4, STATE)).isTrue();
            press(GLFW_KEY_L);
            frames(20, viewer);
            assertThat(has(window.picture(), "L: each step takes 1 to 8 ms more", WIDTH / 4, STATE))
                    .isTrue();
        }
    }

    /** A world that has not answered yet. The floor is nearly grey, bodies are not. */
    @Test
    void shouldDrawNoBodyBeforeItsShapeIsTold() throws Exception {
        CompletableFuture<List<BodyShape>> answer = new CompletableFuture<>();
        WorldControl late = (WorldControl) Proxy.newProxyInstance(
                WorldControl.class.getClassLoader(),
                new Class<?>[] {WorldControl.class},
                (proxy, method, all) -> answer);
        Viewer drawing = new Viewer(SCENE, true);
        drawing.show(late);
        try (HiddenWindow window = HiddenWindow.open(WIDTH, HEIGHT, drawing)) {
            frames(50, drawing);
            assertThat(coloured(window.picture())).as("the floor alone").isZero();
            answer.complete(List.of()); // cubes: the world knows no shapes
            frames(1, drawing);
            assertThat(coloured(window.picture())).as("bodies").isGreaterThan(100);
        }
    }

    private void frames(int count, WindowDrawing drawing) throws Exception {
        for (int frame = 0; frame < count; frame++) {
            clock.advance(7_000_000);
            world.runDueTicks();
            if (view.advance(clock.nanoTime())) {
                drawing.draw(view, WIDTH, HEIGHT);
            }
        }
    }

    private void press(int key) {
        assertThat(viewer.key(0, key, GLFW_PRESS)).isTrue();
    }

    /** Whether a text stands in the middle of the half of the picture that begins at a column. */
    private static boolean has(BufferedImage picture, String text, int left, int top) {
        BufferedImage image = Objects.requireNonNull(Caption.image(text));
        int x0 = left + (WIDTH / 2 - image.getWidth()) / 2;
        long wrong = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                boolean isText = (image.getRGB(x, y) & 255) > 200;
                boolean isLight = (picture.getRGB(x0 + x, top + y) & 255) > 200;
                wrong += isText == isLight ? 0 : 1;
            }
        }
        return wrong < 30;
    }

    /** How many pixels have the colour of texts. */
    private static long written(BufferedImage picture, int top, int left, int width) {
        long written = 0;
        for (int y = top; y < top + Caption.HEIGHT; y++) {
            for (int x = left; x < left + width; x++) {
                written += (picture.getRGB(x, y) & 0xFFFFFF) == 0xF0F3F7 ? 1 : 0;
            }
        }
        return written;
    }

    private static long coloured(BufferedImage picture) {
        long coloured = 0;
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int pixel = picture.getRGB(x, y);
                int red = pixel >> 16 & 255;
                int green = pixel >> 8 & 255;
                int blue = pixel & 255;
                coloured += Math.max(red, Math.max(green, blue)) - Math.min(red, Math.min(green, blue)) > 60 ? 1 : 0;
            }
        }
        return coloured;
    }
}
