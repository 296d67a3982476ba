package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;
import org.lwjgl.opengl.GL33C;

class ImageOverlayTest {

    private static final int WIDTH = TestPicture.WIDTH;
    private static final int HEIGHT = TestPicture.HEIGHT;
    private static final int BLUE = 0xFF0000FF;

    @Test
    void shouldLayAnImageOverThePicturePixelForPixel() throws Exception {
        BufferedImage image = new BufferedImage(2, 3, BufferedImage.TYPE_INT_ARGB_PRE);
        image.setRGB(0, 0, BLUE);
        image.setRGB(1, 2, 0x80FF0000);
        try (GlfwWindow window = TestPicture.openWindow(new SceneDrawing(new SceneView(5, 1, 4)))) {
            window.backend().open();
            try (ImageOverlay overlay = new ImageOverlay()) {
                GL33C.glClearColor(0, 1, 0, 1);
                GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
                GL33C.glEnable(GL33C.GL_CULL_FACE);
                overlay.draw(image, 4, 1, HEIGHT);
                int[] pixels = new int[WIDTH * HEIGHT];
                GL33C.glReadPixels(0, 0, WIDTH, HEIGHT, GL33C.GL_BGRA, GL33C.GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
                GlContext.check("drawing an overlay");
                assertThat(at(pixels, 4, 1)).isEqualTo(0x0000FF);
                assertThat(at(pixels, 5, 1)).as("transparent").isEqualTo(0x00FF00);
                assertThat(at(pixels, 5, 3) >> 16).as("half transparent").isBetween(0x7E, 0x82);
                assertThat(at(pixels, 5, 3) >> 8 & 255).isBetween(0x7D, 0x81);
                assertThat(at(pixels, 6, 1)).as("beside").isEqualTo(0x00FF00);
                assertThat(at(pixels, 4, 0)).as("above").isEqualTo(0x00FF00);
            }
            window.backend().close();
        }
    }

    /** Returns a pixel. Row 0 is the upper one, but OpenGL's rows come from the bottom up. */
    private static int at(int[] pixels, int x, int y) {
        return pixels[(HEIGHT - 1 - y) * WIDTH + x] & 0xFFFFFF;
    }
}
