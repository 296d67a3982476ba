package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.HiddenWindow;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.ManualClock;
import java.awt.Color;
import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;

class ViewPictureTest {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 400;

    @Test
    void shouldDrawTheWorldTwiceBesideAGameLoop() throws Exception {
        ManualClock clock = new ManualClock(0);
        Viewer viewer = new Viewer(new SceneView(10, 0.5f, 5), true);
        try (InlineDriver world = PhysicsService.builder(new SpringSimulation(30))
                        .maxReaders(3)
                        .inline(clock);
                FrameView view = FrameView.inline(world.newReader())) {
            viewer.begin(world);
            try (HiddenWindow window = HiddenWindow.open(WIDTH, HEIGHT, viewer)) {
                draw(viewer, world, view, clock);
                assertThat(hasStripAtTheRight(window.picture())).isFalse();
                assertThat(viewer.key(0, GLFW_KEY_B, GLFW_PRESS)).isTrue();
                draw(viewer, world, view, clock);
                BufferedImage split = window.picture();
                assertThat(hasStripAtTheRight(split)).isTrue();
                assertThat(coloured(split, 0)).as("bodies at the left").isGreaterThan(100);
                assertThat(coloured(split, WIDTH / 2)).as("bodies at the right").isGreaterThan(100);
            }
        }
    }

    /** Draws twenty frames. The last frames know the shapes of all bodies. */
    private static void draw(Viewer viewer, InlineDriver world, FrameView view, ManualClock clock) throws Exception {
        for (int frame = 0; frame < 20; frame++) {
            clock.advance(7_000_000);
            world.runDueTicks();
            if (view.advance(clock.nanoTime())) {
                viewer.draw(view, WIDTH, HEIGHT);
            }
        }
    }

    /** Whether the right half has a strip, by the colour of its corner. */
    private static boolean hasStripAtTheRight(BufferedImage picture) {
        return (picture.getRGB(WIDTH / 2 + 14, HEIGHT - ErrorStrip.HEIGHT - 10) & 0xFFFFFF) == 0x181B20;
    }

    /** Counts the coloured pixels of a half of the picture. The floor is nearly grey, bodies are not. */
    private static long coloured(BufferedImage picture, int left) {
        long coloured = 0;
        for (int y = 0; y < HEIGHT - ErrorStrip.HEIGHT - 12; y++) {
            for (int x = left; x < left + WIDTH / 2; x++) {
                Color pixel = new Color(picture.getRGB(x, y));
                coloured += Math.abs(pixel.getRed() - pixel.getBlue()) > 60 ? 1 : 0;
            }
        }
        return coloured;
    }
}
