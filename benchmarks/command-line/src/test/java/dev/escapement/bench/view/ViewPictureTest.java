package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.ManualClock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lwjgl.opengl.GL33C;

class ViewPictureTest {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 300;
    private static final SceneView SCENE = new SceneView(10, 0.5f, 5);

    /** The pixels of the last picture, from the bottom row up. */
    private final int[] pixels = new int[WIDTH * HEIGHT];

    @Test
    void shouldDrawTheWorldTwiceBesideAGameLoop() {
        ManualClock clock = new ManualClock(0);
        Viewer viewer = new Viewer(SCENE, true);
        try (OffscreenPicture context = context();
                InlineDriver world = PhysicsService.builder(new SpringSimulation(30))
                        .maxReaders(3)
                        .inline(clock);
                FrameView view = FrameView.inline(world.newReader())) {
            viewer.begin(world);
            viewer.open();
            assertThat(viewer.key(0, GLFW_KEY_B, GLFW_PRESS)).isTrue();
            draw(viewer, world, view, clock);
            int corner = pixels[(ErrorStrip.HEIGHT + 9) * WIDTH + WIDTH / 2 + 14];
            assertThat(corner & 0xFFFFFF).as("strip of the right half").isEqualTo(0x181B20);
            assertThat(coloured(0)).as("bodies at the left").isGreaterThan(100);
            assertThat(coloured(WIDTH / 2)).as("bodies at the right").isGreaterThan(100);
            viewer.close();
            assertThat(context).isNotNull();
        }
    }

    private static OffscreenPicture context() {
        try {
            return OffscreenPicture.open(WIDTH, HEIGHT, SCENE);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    private void draw(Viewer viewer, InlineDriver world, FrameView view, ManualClock clock) {
        for (int frame = 0; frame < 20; frame++) {
            clock.advance(7_000_000);
            world.runDueTicks();
            if (view.advance(clock.nanoTime())) {
                viewer.draw(view, WIDTH, HEIGHT);
            }
        }
        GL33C.glReadPixels(0, 0, WIDTH, HEIGHT, GL33C.GL_BGRA, GL33C.GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
    }

    /** Counts the coloured pixels above the strip in the half that begins at x = {@code left}. The floor is nearly grey, bodies are not. */
    private long coloured(int left) {
        return IntStream.range((ErrorStrip.HEIGHT + 12) * WIDTH, pixels.length)
                .filter(at -> at % WIDTH >= left && at % WIDTH < left + WIDTH / 2)
                .filter(at -> Math.abs((pixels[at] >> 16 & 255) - (pixels[at] & 255)) > 60)
                .count();
    }
}
